package org.hourstone.rewrite;

import java.time.Duration;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.RowPoints;
import org.hourstone.codec.Timestamps;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.StoreClock;
import org.hourstone.kv.Trait;
import org.hourstone.rewrite.CompactionOptions.Appends;
import org.hourstone.rewrite.CompactionPlanner.Step;
import org.jspecify.annotations.Nullable;

/**
 * Rewrites rows so that all of their points are in one cell, or in a few cells if one would be too
 * large. Other cells stay: annotations, histograms, unknown ones. See {@code
 * docs/format/compaction.md}.
 *
 * <p>Nothing is lost, even if several processes write, compact or delete from the same row: the
 * cells are replaced in one step, and only if all of them are unchanged. Otherwise the row is read
 * and planned again. A point that is added to the row concurrently is dated after the new cell, so
 * readers prefer it.
 *
 * <p>The last sentence requires write times that increase with every write of a row, and writes
 * that become visible in the order of their times. On a store that assigns times with a resolution
 * of a millisecond, a row is compacted only if it has not been written for some time by the clock
 * of the store.
 *
 * <p>On a store that other processes write to, the points of a compacted cell always stay in one
 * cell: an OpenTSDB that has merged cells deletes the old cells afterwards without checking them,
 * so none of those qualifiers may be written again.
 *
 * <p>Only rows whose hour is over are changed. Thread-safe.
 */
public final class RowCompactor {
  /** A row is closed this long after its hour's start: the hour and a second. */
  private static final long CLOSED_AFTER_SECONDS = Timestamps.ROW_SECONDS + 1;

  /** The maximum number of times a row that keeps changing is read. */
  private static final int ATTEMPTS = 10;

  private final KeyValueStore store;
  private final Family family;
  private final RowKey keys;
  private final CompactionOptions options;
  private final InstantSource clock;
  private final CompactionPlanner planner;
  private final boolean exactTimes;
  private final StoreClock storeClock;

  /**
   * @param family the data table's
   */
  public RowCompactor(
      KeyValueStore store,
      Family family,
      RowKey keys,
      CompactionOptions options,
      InstantSource clock) {
    this.store = store;
    this.family = family;
    this.keys = keys;
    this.options = options;
    this.clock = clock;
    this.exactTimes = store.traits().contains(Trait.MONOTONIC_WRITE_TIMES);
    this.storeClock =
        store.extension(StoreClock.class).orElse((of, row, time) -> clock.millis() > time);
    this.planner =
        new CompactionPlanner(keys, options, store.traits().contains(Trait.SHARED), exactTimes);
  }

  /** Whether the hour of the row with this key is over. */
  public boolean isClosed(byte[] row) {
    return closedAt(row) <= clock.millis() / 1000;
  }

  /** The time from which the row may be compacted, in seconds since the epoch. */
  long closedAt(byte[] row) {
    return keys.baseTime(row) + CLOSED_AFTER_SECONDS;
  }

  /** The time that must have passed since the last write of a row. */
  Duration quiet() {
    return options.quiet();
  }

  /** As {@link #compact(Row)}, for the row with this key. */
  public CompactionOutcome compact(byte[] row) {
    return isClosed(row) ? compact(read(row)) : CompactionOutcome.TOO_EARLY;
  }

  /**
   * As {@link #compact(Row)}, for the row with this key.
   *
   * @param replacing receives the cells that are about to be replaced, also if this fails then; if
   *     it throws, they stay
   */
  public CompactionOutcome compact(byte[] row, Consumer<Row> replacing) {
    return isClosed(row)
        ? rewrite(read(row), this::compaction, step -> replacing.accept(step.replaced()))
        : CompactionOutcome.TOO_EARLY;
  }

  /**
   * Compacts a row.
   *
   * @param asRead the row with all of its cells; it is read again if it has changed since
   * @return TOO_EARLY also if the row kept changing
   * @throws CorruptDataException if the row, which is named, is corrupt or has conflicting points;
   *     it is not changed
   * @throws org.hourstone.kv.StoreException if the store fails; no point is lost
   */
  public CompactionOutcome compact(Row asRead) {
    return rewrite(asRead, this::compaction, step -> {});
  }

  /**
   * Sorts the points of a row's append cell and drops those that later points replaced; otherwise
   * as {@link #compact(Row)}. See {@code docs/format/append.md#repair}.
   */
  public CompactionOutcome repair(Row asRead) {
    return rewrite(asRead, planner::repair, step -> {});
  }

  private CompactionOutcome rewrite(
      Row asRead, Function<Row, @Nullable List<Step>> plan, Consumer<Step> replacing) {
    if (!isClosed(asRead.key())) {
      return CompactionOutcome.TOO_EARLY;
    }
    try {
      return rewriteClosed(asRead, plan, replacing);
    } catch (CorruptDataException e) {
      throw new CorruptDataException(
          "row " + HexFormat.of().formatHex(asRead.key()) + " of " + family + ": " + e.getMessage(),
          e);
    }
  }

  /**
   * @param plan computes the steps for a row as it was read; null if it is too early
   */
  private CompactionOutcome rewriteClosed(
      Row asRead, Function<Row, @Nullable List<Step>> plan, Consumer<Step> replacing) {
    Row row = asRead;
    int before = 0;
    for (int i = 0; i < ATTEMPTS; i++) {
      List<Step> steps = plan.apply(row);
      if (steps == null) {
        return CompactionOutcome.TOO_EARLY;
      }
      int cells = CompactionPlanner.parts(row).size();
      if (steps.isEmpty()) {
        return before == 0
            ? CompactionOutcome.unchanged(cells)
            : CompactionOutcome.rewritten(before, cells);
      }
      if (steps.stream().allMatch(step -> replace(step, replacing))) {
        before = Math.max(before, cells);
        if (steps.size() == 1) {
          Step only = steps.get(0);
          int after = cells - only.observed().size() + only.replacement().size();
          return CompactionOutcome.rewritten(before, after);
        }
      }
      row = read(row.key());
    }
    return CompactionOutcome.TOO_EARLY;
  }

  private @Nullable List<Step> compaction(Row row) {
    if (options.appends() == Appends.MERGED || !CompactionPlanner.hasAppends(row)) {
      List<Integer> parts = CompactionPlanner.parts(row);
      return isQuiet(row, parts) ? planner.steps(row, parts) : null;
    }
    RowPoints unused = planner.points(row); // fails if the row can't be read
    return options.appends() == Appends.REPAIRED ? planner.repair(row) : List.of();
  }

  private boolean replace(Step step, Consumer<Step> replacing) {
    replacing.accept(step);
    return store.replaceCells(family, step.observed(), step.replacement());
  }

  private Row read(byte[] row) {
    return store.get(family, row, Columns.all());
  }

  /** Whether any later write gets a later write time than all of these cells. */
  private boolean isQuiet(Row row, List<Integer> parts) {
    if (exactTimes || options.quiet().isZero()) {
      return true;
    }
    long newest = parts.stream().mapToLong(row::writeTime).max().orElse(0);
    return storeClock.isPast(family, row.key(), newest + options.quiet().toMillis() - 1);
  }
}
