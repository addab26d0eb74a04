package org.hourstone.tool;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Columns;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.hourstone.tool.CopyOptions.Policy;

/**
 * Writes rows of the source to the target, reads them back and compares every cell. May be repeated
 * for the same rows. Thread-safe.
 *
 * <p>A cell that another client writes to the target after the target's row was read stays. Old
 * cells are put only if no later cell is present, and any cell written since is later. Cells that
 * may be dated later than the target's clock, and cells that replace others, are written with
 * {@link KeyValueStore#replaceCells}, only if the cells in their places are unchanged.
 */
final class RowCopy {
  /** It is not known that the target has none of the rows. */
  static final long NOT_SEEN_EMPTY = -1;

  /**
   * The largest difference expected between the clocks of the source, the target and this process.
   */
  private static final Duration CLOCKS_DIFFER = Duration.ofHours(1);

  /** The number of conflicts on one row after which the copy fails. */
  private static final int ATTEMPTS = 10;

  private final KeyValueStore to;
  private final UidAssignments claims;
  private final OneAtATime<CopyListener> listener;
  private final boolean verifyOnly;
  private final InstantSource clock;

  RowCopy(
      KeyValueStore to,
      UidAssignments claims,
      OneAtATime<CopyListener> listener,
      boolean verifyOnly,
      InstantSource clock) {
    this.to = to;
    this.claims = claims;
    this.listener = listener;
    this.verifyOnly = verifyOnly;
    this.clock = clock;
  }

  /**
   * Copies rows, which must fit in memory twice.
   *
   * @param emptyAt the time at which the target had none of these rows, in milliseconds of the
   *     clock; or {@link #NOT_SEEN_EMPTY}
   * @throws CopyException if a cell is not correct in the target afterwards
   */
  CopyCounts copy(CopyFamily family, List<Row> rows, long emptyAt, Policy policy) {
    boolean empty = emptyAt != NOT_SEEN_EMPTY;
    long surelyPast = (empty ? emptyAt : clock.millis()) - CLOCKS_DIFFER.toMillis();
    List<Row> before = empty ? List.of() : read(family, rows);
    List<RowMerge> merges = new ArrayList<>(rows.size());
    for (int i = 0; i < rows.size(); i++) {
      Row source = rows.get(i);
      Row target = empty ? Row.empty(source.key()) : before.get(i);
      merges.add(new RowMerge(family, source, target, policy, surelyPast));
    }
    CopyCounts counts = CopyCounts.NOTHING;
    if (verifyOnly) {
      for (RowMerge merge : merges) {
        counts = counts.plus(merge.compare(this::differs));
      }
      return counts;
    }
    List<Row> after = write(family, merges) ? read(family, rows) : before;
    for (int i = 0; i < merges.size(); i++) {
      counts = counts.plus(merges.get(i).verify(after.get(i), this::differs));
    }
    return counts;
  }

  private void differs(String what) {
    listener.call(to -> to.differs(what));
  }

  private List<Row> read(CopyFamily family, List<Row> rows) {
    return to.get(family.to(), rows.stream().map(Row::key).toList(), Columns.all());
  }

  /** Writes the rows; returns whether anything had to be written. */
  private boolean write(CopyFamily family, List<RowMerge> merges) {
    boolean any = false;
    RowPuts puts = new RowPuts(to, family.to());
    for (RowMerge merge : merges) {
      if (!merge.changesAnything()) {
        continue;
      }
      any = true;
      Row source = merge.source();
      for (int i : merge.claims()) {
        claims.claim(family, source.key(), source.qualifier(i), source.value(i));
      }
      puts.add(source.key(), merge.puts());
      replace(family, merge);
    }
    puts.flush();
    return any;
  }

  /** Writes the cells that require an unchanged row. */
  private void replace(CopyFamily family, RowMerge merge) {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (replaceAll(family, merge)) {
        return;
      }
      merge.decide(to.get(family.to(), merge.source().key(), Columns.all()));
    }
    throw new StoreException(
        Outcome.NOT_APPLIED,
        "row " + merge.source() + " of " + family.to() + " changes faster than it can be copied");
  }

  private boolean replaceAll(CopyFamily family, RowMerge merge) {
    int[] cells = merge.replaced();
    for (int from = 0; from < cells.length; ) {
      int end = from;
      for (long bytes = 0; end < cells.length && bytes < RowPuts.BATCH_BYTES; end++) {
        bytes += RowPuts.CELL_OVERHEAD + merge.bytes(cells[end]);
      }
      int[] piece = Arrays.copyOfRange(cells, from, end);
      List<Cell> replacement = Arrays.stream(piece).mapToObj(merge::cell).toList();
      if (!to.replaceCells(family.to(), merge.observed(piece), replacement)) {
        return false;
      }
      merge.wrote(piece);
      from = end;
    }
    return true;
  }
}
