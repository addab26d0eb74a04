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
 * <p>A writer's journal on a shared store may have points that were acknowledged after a cell was
 * written, and are written later with an earlier time than a new cell would have. So no cell is
 * dated after {@link SealedUntil}: a row with such cells is left for later, and counted.
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

  /** It is not known until when journals are sealed. */
  private static final long NOT_KNOWN = Long.MIN_VALUE;

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
  private final SealedUntil sealed;

  /**
   * @param family the data table's
   * @param sealed until when journals on the store are
   */
  public RowCompactor(
      KeyValueStore store,
      Family family,
      RowKey keys,
      CompactionOptions options,
      InstantSource clock,
      SealedUntil sealed) {
    this.store = store;
    this.family = family;
    this.keys = keys;
    this.options = options;
    this.clock = clock;
    this.sealed = sealed;
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

  /** How often a row was left for later, since a journal may have older points. */
  long left() {
    return sealed.left();
  }

  /** As {@link #compact(Row)}, for the row with this key. */
  public CompactionOutcome compact(byte[] row) {
    return compactClosed(row, step -> {});
  }

  /**
   * As {@link #compact(Row)}, for the row with this key.
   *
   * @param replacing receives the cells that are about to be replaced, also if this fails then; if
   *     it throws, they stay
   */
  public CompactionOutcome compact(byte[] row, Consumer<Row> replacing) {
    return compactClosed(row, step -> replacing.accept(step.replaced()));
  }

  private CompactionOutcome compactClosed(byte[] row, Consumer<Step> replacing) {
    if (!isClosed(row)) {
      return CompactionOutcome.TOO_EARLY;
    }
    long known = sealed.known(); // before the row is read
    return rewrite(read(row), known, this::compaction, replacing);
  }

  /**
   * Compacts a row.
   *
   * @param asRead the row with all of its cells; it is read again if it has changed since
   * @return TOO_EARLY also if the row kept changing, or a journal may have older points
   * @throws CorruptDataException if the row, which is named, is corrupt or has conflicting points;
   *     it is not changed
   * @throws org.hourstone.kv.StoreException if the store fails; no point is lost
   */
  public CompactionOutcome compact(Row asRead) {
    return rewrite(asRead, NOT_KNOWN, this::compaction, step -> {});
  }

  /**
   * Sorts the points of a row's append cell and drops those that later points replaced; otherwise
   * as {@link #compact(Row)}. See {@code docs/format/append.md#repair}.
   */
  public CompactionOutcome repair(Row asRead) {
    return rewrite(asRead, NOT_KNOWN, planner::repair, step -> {});
  }

  private CompactionOutcome rewrite(
      Row asRead, long known, Function<Row, @Nullable List<Step>> plan, Consumer<Step> replacing) {
    if (!isClosed(asRead.key())) {
      return CompactionOutcome.TOO_EARLY;
    }
    try {
      return rewriteClosed(asRead, known, plan, replacing);
    } catch (CorruptDataException e) {
      throw new CorruptDataException(
          "row " + HexFormat.of().formatHex(asRead.key()) + " of " + family + ": " + e.getMessage(),
          e);
    }
  }

  /**
   * @param known until when journals were known to be sealed before the row was read
   * @param plan computes the steps for a row as it was read; null if it is too early
   */
  private CompactionOutcome rewriteClosed(
      Row asRead, long known, Function<Row, @Nullable List<Step>> plan, Consumer<Step> replacing) {
    Row row = asRead;
    long sealedUntil = known;
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
      long raised =
          sealed.isAlways()
              ? NOT_KNOWN
              : steps.stream().mapToLong(Step::raisedTo).max().orElse(NOT_KNOWN);
      boolean mayReplace = raised <= sealedUntil;
      if (!mayReplace) {
        byte[] key = row.key();
        sealedUntil = sealedUntil(key, raised);
        if (raised > sealedUntil) {
          sealed.leave();
          return CompactionOutcome.unsealed(raised);
        }
        mayReplace = !sealed.hasJournals(); // else the row may lack what was sealed just before
      }
      if (mayReplace && steps.stream().allMatch(step -> replace(step, replacing))) {
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
    if (options.quiet().isZero()) {
      return true;
    }
    long newest = parts.stream().mapToLong(row::writeTime).max().orElse(0);
    return isPast(row.key(), newest + options.quiet().toMillis() - 1);
  }

  /**
   * Reads until when journals are sealed, unless a time is known to be.
   *
   * @param row a row that would get cells of the time
   */
  long sealedUntil(byte[] row, long wanted) {
    // Without a quiet time, as in strict mode, a row that was just written is compacted, too.
    return sealed.read(wanted, time -> isPastOnAllServers(row, time), options.quiet().isZero());
  }

  /** A journal that begins later is dated by the clock of another server than the row's. */
  private boolean isPastOnAllServers(byte[] row, long time) {
    return storeClock.isPast(family, row, time + SealedUntil.CLOCKS_DIFFER.toMillis());
  }

  /** Whether every later write is dated after a time, which is not after the row's newest cell. */
  private boolean isPast(byte[] row, long time) {
    return exactTimes || storeClock.isPast(family, row, time);
  }
}
