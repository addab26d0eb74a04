package org.hourstone.kv.hbase;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.Row;

/**
 * Replaces the cells of a row without losing what others write to it meanwhile.
 *
 * <p>A deletion in HBase hides every cell dated up to its own time, also one that is written later.
 * So observed cells are deleted up to the time they were observed with, never up to now, and three
 * things are seen to:
 *
 * <ul>
 *   <li><b>A cell was written again with the same time</b>, in the same millisecond or by somebody
 *       who gives the times: the deletion would take both. The values are therefore compared in the
 *       same atomic step; if one is not as observed, it is left out and the step repeated.
 *   <li><b>A cell will be written again</b> after its deletion, and dated no later: it would stay
 *       hidden. So nothing is deleted before its time is over. That is usually long past; but a
 *       cell may be of this millisecond, and one that was incremented or appended to more often
 *       than once a millisecond is dated ahead of the server's clock.
 *   <li><b>A cell that the replacement puts</b> is not deleted: a put dated the same or later hides
 *       it, where the deletion could hide the put.
 * </ul>
 *
 * <p>Comparing costs the server the square of the number of cells. Where more than {@link
 * #MOST_COMPARED} are to be deleted, the values are read again right before instead: a cell that is
 * written again with its old time between these two calls would be lost.
 */
final class CellReplacement {
  static final int MOST_COMPARED = 500;

  /**
   * How far clocks are apart at most, ours and the servers', and cells ahead of them. What is dated
   * further ahead was given its time, and nobody can wait for that.
   */
  private static final long APART_MILLIS = 60_000;

  /** Longer than the millisecond a cell was written in. */
  private static final long PAUSE_MILLIS = 2;

  private final Rows rows;
  private final Mutations mutations;
  private final SingleAttempts attempts;
  private final InstantSource clock;

  /** The plain calls this needs. */
  interface Rows {
    Row get(Family family, byte[] row, Columns columns);

    void mutate(Family family, org.apache.hadoop.hbase.client.Row action);
  }

  CellReplacement(Rows rows, Mutations mutations, SingleAttempts attempts, InstantSource clock) {
    this.rows = rows;
    this.mutations = mutations;
    this.attempts = attempts;
    this.clock = clock;
  }

  void replace(Family family, Row observed, List<Cell> replacement) {
    Map<Bytes, Cell> puts = new TreeMap<>();
    replacement.forEach(cell -> puts.put(new Bytes(cell.qualifier()), cell));
    byte[] row = observed.key().clone();
    List<Observed> gone = new ArrayList<>();
    List<Observed> outdated = new ArrayList<>();
    for (int i = 0; i < observed.size(); i++) {
      Observed cell = new Observed(observed.qualifier(i), observed.value(i), observed.writeTime(i));
      Cell put = puts.get(new Bytes(cell.qualifier()));
      if (put == null) {
        gone.add(cell);
      } else if (put.writeTime() != Cell.STORE_TIME && put.writeTime() < cell.time()) {
        outdated.add(cell);
      }
    }
    letTimePass(family, observed);
    if (gone.size() > MOST_COMPARED) {
      gone = stillAsObserved(family, row, gone);
    }
    while (!gone.isEmpty() && gone.size() <= MOST_COMPARED) {
      CheckAndMutate.Builder check = CheckAndMutate.newBuilder(row);
      check.ifMatches(allAs(family, gone));
      Mutations.RowChanges changes = changes(family, row, gone, outdated, replacement);
      if (attempts.checkAndMutate(family, check.build(changes.rowMutations()))) {
        return;
      }
      gone = stillAsObserved(family, row, gone);
    }
    Mutations.RowChanges changes = changes(family, row, gone, outdated, replacement);
    if (!changes.isEmpty()) {
      rows.mutate(family, changes.action());
    }
  }

  private Mutations.RowChanges changes(
      Family family,
      byte[] row,
      List<Observed> gone,
      List<Observed> outdated,
      List<Cell> replacement) {
    List<Change> puts = new ArrayList<>();
    replacement.forEach(cell -> puts.add(cell.put()));
    Mutations.RowChanges changes = mutations.changes(family, row);
    gone.forEach(cell -> changes.deleteUpTo(cell.qualifier(), cell.time()));
    outdated.forEach(cell -> changes.deleteVersion(cell.qualifier(), cell.time()));
    return changes.addAll(puts);
  }

  private static Filter allAs(Family family, List<Observed> cells) {
    byte[] name = Names.bytes(family);
    FilterList all = new FilterList(FilterList.Operator.MUST_PASS_ALL);
    for (Observed cell : cells) {
      SingleColumnValueFilter same =
          new SingleColumnValueFilter(name, cell.qualifier(), CompareOperator.EQUAL, cell.value());
      same.setFilterIfMissing(true);
      all.addFilter(same);
    }
    return all;
  }

  private List<Observed> stillAsObserved(Family family, byte[] row, List<Observed> cells) {
    Row present = rows.get(family, row, Columns.all());
    List<Observed> same = new ArrayList<>(cells);
    same.removeIf(
        cell -> {
          int at = present.indexOf(cell.qualifier());
          return at < 0
              || present.writeTime(at) != cell.time()
              || !Arrays.equals(present.value(at), cell.value());
        });
    return same;
  }

  /** Waits until servers date what they write later than the cells that were observed. */
  private void letTimePass(Family family, Row observed) {
    long now = clock.millis();
    long ahead = -APART_MILLIS;
    for (int i = 0; i < observed.size(); i++) {
      long each = observed.writeTime(i) - now;
      ahead = each > APART_MILLIS ? ahead : Math.max(ahead, each);
    }
    if (ahead > -APART_MILLIS) {
      attempts.pause(family, Math.max(0, ahead) + PAUSE_MILLIS);
    }
  }

  private record Observed(byte[] qualifier, byte[] value, long time) {}
}
