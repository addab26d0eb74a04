package org.hourstone.kv.hbase;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.Row;
import org.hourstone.kv.StoreException;

/**
 * Replaces cells of a row, all or none, in one atomic step of the row's server: if {@link
 * ReplaceCondition} holds, all deletions and puts are made.
 *
 * <p>A deletion in HBase hides every cell dated up to the deletion's own time, even a cell that is
 * put later. So observed cells are deleted up to their observed time, never up to now, and only
 * after that time is over: later writes are dated later and are visible.
 *
 * <p>The replacement must not be hidden either. An observed cell that is also in the replacement is
 * not deleted, since the put replaces it; if the put is dated earlier, only the versions in between
 * are deleted. If an earlier deletion would hide a dated cell, nothing is changed and the call is
 * REJECTED.
 */
final class CellReplacement {
  private final Reads reads;
  private final Mutations mutations;
  private final SingleAttempts attempts;
  private final ServerClock clock;
  private final HBaseErrors errors;

  CellReplacement(
      Reads reads,
      Mutations mutations,
      SingleAttempts attempts,
      ServerClock clock,
      HBaseErrors errors) {
    this.reads = reads;
    this.mutations = mutations;
    this.attempts = attempts;
    this.clock = clock;
    this.errors = errors;
  }

  boolean replace(Family family, Row observed, List<Cell> replacement) {
    if (observed.isEmpty() && replacement.isEmpty()) {
      reads.requireFamily(family);
      return true;
    }
    if (observed.size() > ReplaceCondition.MOST_CELLS) {
      throw errors.rejected(
          "cannot replace %d cells of a row at once: more than %d"
              .formatted(observed.size(), ReplaceCondition.MOST_CELLS));
    }
    byte[] row = observed.key().clone();
    if (!observed.isEmpty()) {
      clock.awaitLater(family, row, newest(observed));
    }
    List<byte[]> added =
        replacement.stream()
            .map(Cell::qualifier)
            .filter(qualifier -> observed.indexOf(qualifier) < 0)
            .toList();
    CheckAndMutate.Builder check = CheckAndMutate.newBuilder(row);
    boolean incomplete = observed.isEmpty() && added.size() > 1;
    // Before the reads below, so that later writes of another client are dated later.
    long now = now(family, row, replacement, incomplete);
    if (!observed.isEmpty()) {
      check.ifMatches(ReplaceCondition.of(family, observed, added));
    } else {
      // A row without cells has no cell that a filter could keep, so the first cell represents all
      // of them.
      check.ifNotExists(Names.bytes(family), added.get(0));
    }
    if (incomplete
        && !reads.get(family, row, Columns.exactly(added.toArray(byte[][]::new))).isEmpty()) {
      return false;
    }
    Mutations.RowChanges changes = mutations.changes(family, row);
    deleteReplaced(observed, replacement, changes);
    List<Cell> puts;
    try {
      puts = visible(family, observed, replacement, now, incomplete, changes);
    } catch (StoreException hidden) {
      if (isUnchanged(observed, added, reads.get(family, row, Columns.all()))) {
        throw hidden;
      }
      return false;
    }
    changes.addAll(puts.stream().map(Cell::put).toList());
    return attempts.checkAndMutate(family, check.build(changes.rowMutations()));
  }

  /** The server's time, if the replacement has cells. */
  private long now(Family family, byte[] row, List<Cell> replacement, boolean dated) {
    long newest =
        dated
            ? Change.MAX_WRITE_TIME
            : replacement.stream().mapToLong(Cell::writeTime).max().orElse(Cell.STORE_TIME);
    return newest == Cell.STORE_TIME ? newest : clock.now(family, row, newest);
  }

  private static boolean isUnchanged(Row observed, List<byte[]> added, Row present) {
    for (int i = 0; i < observed.size(); i++) {
      int at = present.indexOf(observed.qualifier(i));
      if (at < 0
          || present.writeTime(at) != observed.writeTime(i)
          || !Arrays.equals(present.value(at), observed.value(i))) {
        return false;
      }
    }
    return added.stream().allMatch(qualifier -> present.indexOf(qualifier) < 0);
  }

  private static long newest(Row observed) {
    long newest = 0;
    for (int i = 0; i < observed.size(); i++) {
      newest = Math.max(newest, observed.writeTime(i));
    }
    return newest;
  }

  private static void deleteReplaced(
      Row observed, List<Cell> replacement, Mutations.RowChanges changes) {
    Set<Bytes> put = new HashSet<>();
    replacement.forEach(cell -> put.add(new Bytes(cell.qualifier())));
    for (int i = 0; i < observed.size(); i++) {
      if (!put.contains(new Bytes(observed.qualifier(i)))) {
        changes.deleteUpTo(observed.qualifier(i), observed.writeTime(i));
      }
    }
  }

  /**
   * The replacement in the form to put. Versions of an observed cell that are dated after the
   * replacing cell are deleted one by one, up to the observed version: a later version was written
   * by another client, which {@link ReplaceCondition} does not detect if old versions are kept. A
   * cell that a deletion would hide is dated right after the deletion, if no other cell of the row
   * is dated in between, so that their order does not change.
   *
   * @param now the server's time before the row was read
   * @param dated whether all cells get a time, right before now, so that they do not hide later
   *     writes of another client
   * @throws org.hourstone.kv.StoreException REJECTED if a cell would stay hidden
   */
  private List<Cell> visible(
      Family family,
      Row observed,
      List<Cell> replacement,
      long now,
      boolean dated,
      Mutations.RowChanges changes) {
    List<byte[]> asked =
        replacement.stream()
            .filter(cell -> dated || cell.writeTime() != Cell.STORE_TIME)
            .map(Cell::qualifier)
            .toList();
    if (asked.isEmpty()) {
      return replacement;
    }
    byte[] row = observed.key().clone();
    RowHistory history = RowHistory.read(reads, family, row, asked);
    List<Cell> puts = new ArrayList<>(replacement.size());
    for (Cell cell : replacement) {
      byte[] qualifier = cell.qualifier();
      long time = Math.min(cell.writeTime(), now);
      if (time == Cell.STORE_TIME && dated) {
        time = Math.max(now - 1, history.deletedUpTo(qualifier) + 1);
      }
      if (time != Cell.STORE_TIME) {
        if (history.hides(qualifier, time)) {
          long raised = history.deletedUpTo(qualifier) + 1;
          if (raised >= now || isAnyDated(family, observed, time, raised)) {
            throw errors.hidden(family, row, qualifier, time);
          }
          time = raised;
        }
        int at = observed.indexOf(qualifier);
        if (at >= 0) {
          for (long version : history.versions(qualifier, time, observed.writeTime(at))) {
            changes.deleteVersion(qualifier, version);
          }
        }
      }
      puts.add(new Cell(qualifier, cell.value(), time));
    }
    return puts;
  }

  /** Whether a cell that was not observed is dated in this range, both ends inclusive. */
  private boolean isAnyDated(Family family, Row observed, long from, long to) {
    Row present = reads.get(family, observed.key(), Columns.all());
    for (int i = 0; i < present.size(); i++) {
      boolean between = present.writeTime(i) >= from && present.writeTime(i) <= to;
      if (between && observed.indexOf(present.qualifier(i)) < 0) {
        return true;
      }
    }
    return false;
  }
}
