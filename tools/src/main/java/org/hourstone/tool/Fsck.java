package org.hourstone.tool;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.hourstone.codec.RowKey;
import org.hourstone.error.RequestException;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Scan;
import org.hourstone.rewrite.RowCompactor;
import org.hourstone.table.CheckpointException;
import org.hourstone.table.TableCheckpoint;
import org.hourstone.table.TableRange;
import org.hourstone.table.TableRanges;
import org.hourstone.table.TableRun;
import org.hourstone.uid.UidKind;
import org.hourstone.uid.UidTable;
import org.jspecify.annotations.Nullable;

/**
 * Finds corruption in the data table and repairs it: {@code fix} repairs everything that can be
 * repaired without loss, and the rest is repaired as far as permitted. May run alongside writers. A
 * second run does not report repaired errors again. Each instance is for one run.
 */
public final class Fsck {
  private final KeyValueStore store;
  private final Family family;
  private final RowKey keys;
  private final UidTable uids;
  private final FsckOptions options;
  private final OneAtATime<FsckListener> listener;
  private final RowCompactor compactor;
  private @Nullable RollupFsck rollups;

  /**
   * @param family the data table's
   * @param compactor compacts rows if requested
   */
  public Fsck(
      KeyValueStore store,
      Family family,
      RowKey keys,
      UidTable uids,
      RowCompactor compactor,
      FsckOptions options,
      FsckListener listener) {
    this.store = store;
    this.family = family;
    this.keys = keys;
    this.uids = uids;
    this.options = options;
    this.listener = new OneAtATime<>(listener);
    this.compactor = compactor;
  }

  /** Has {@link #fullScan} check the tables of rollups, too. */
  Fsck with(RollupFsck ofRollups) {
    rollups = ofRollups;
    return this;
  }

  /**
   * Checks every row of the table, and then the rollups that the database computes.
   *
   * @param checkpoint the last one that the listener of a run with the same options received: its
   *     complete rows are skipped, and the report includes them; null to start from the beginning
   * @throws CheckpointException if the checkpoint does not belong to this run
   * @throws RequestException if most rows would be deleted or many moved, which indicates wrong
   *     settings
   * @throws org.hourstone.kv.StoreException if the store fails
   */
  public FsckReport fullScan(@Nullable String checkpoint) {
    long lastMetric = uids.usage(UidKind.METRIC).assigned();
    List<Scan> all = TableRanges.ofRows(keys, lastMetric, TableRun.RANGES);
    FsckTally tally = run(TableRange.of(family, all), List.of(), row -> true, checkpoint);
    if (rollups != null) {
      rollups.check(
          listener.listener()::nextRow,
          finding -> {
            tally.count(finding);
            listener.call(to -> to.found(finding));
          });
      tally.complete();
    }
    return tally.report();
  }

  /**
   * Checks the rows of a selection. Throws as {@link #fullScan} does.
   *
   * @param scans their starts and stops consist of salt, metric and base time
   * @param passes whether a row is selected, by its key
   */
  public FsckReport check(List<Scan> scans, Predicate<byte[]> passes, @Nullable String checkpoint) {
    int each = Math.max(1, TableRun.RANGES / Math.max(1, scans.size()));
    List<TableRange> ranges = new ArrayList<>();
    for (int i = 0; i < scans.size(); i++) {
      for (Scan hours : TableRanges.ofHours(scans.get(i), keys, each)) {
        ranges.add(new TableRange(family, hours, 0, i));
      }
    }
    return run(ranges, scans, passes, checkpoint).report();
  }

  private FsckTally run(
      List<TableRange> all,
      List<Scan> selections,
      Predicate<byte[]> passes,
      @Nullable String checkpoint) {
    TableCheckpoint start =
        checkpoint == null
            ? TableCheckpoint.start(all)
            : TableCheckpoint.read(checkpoint, Set.of(family), selections.size());
    FsckTally tally =
        new FsckTally(checkpoint == null ? FsckReport.NOTHING : start.counts(FsckReport.class));
    RowFsck rows =
        new RowFsck(
            keys,
            new RowNames(keys, uids),
            new RowRepair(store, family, keys, options, listener),
            compactor,
            options,
            listener,
            tally);
    Function<TableRange, Scan> rest =
        range ->
            range.selection() < 0
                ? range.rest()
                : range.rest().filter(selections.get(range.selection()).filter());
    refuseWithWrongSettings(start.ranges().stream().map(rest).toList(), passes, rows);
    TableRun run =
        new TableRun(store, start, options.threads(), listener.listener())
            .savedWith(false, tally::report);
    run.run(
        range ->
            run.read(
                range,
                rest.apply(range),
                row -> {
                  if (passes.test(row.key())) {
                    rows.check(row);
                  }
                },
                tally::complete));
    return tally;
  }

  /**
   * Fails if the settings appear to be wrong. With wrong widths or a wrong salt, every row appears
   * to need deletion or many rows appear to be misplaced; with any wrong number of buckets, at
   * least half of them.
   */
  private void refuseWithWrongSettings(List<Scan> scans, Predicate<byte[]> passes, RowFsck rows) {
    if (!options.fix()) {
      return;
    }
    boolean deletes =
        options.permits(FsckAction.DELETE_ORPHANS) || options.permits(FsckAction.DELETE_BAD_ROWS);
    FsckSample sample = FsckSample.of(store, family, scans, passes, rows);
    if (deletes && sample.isMostUnreadable() && !options.permits(FsckAction.DELETE_MOST_ROWS)) {
      throw refusal(
          sample.unreadable() + " of " + sample.seen() + " rows have no readable key",
          "would be deleted; are tsd.storage.uid.width.* and tsd.storage.salt.* those of the data?",
          FsckAction.DELETE_MOST_ROWS.option() + " deletes them");
    }
    if (sample.areManyMisplaced() && !options.permits(FsckAction.MOVE_MOST_ROWS)) {
      throw refusal(
          sample.misplaced() + " of " + sample.seen() + " rows are not where their series belongs",
          "would be moved; are tsd.storage.salt.buckets, tsd.storage.salt.width and"
              + " tsd.storage.uid.width.* those of the data?",
          FsckAction.MOVE_MOST_ROWS.option() + " moves them");
    }
  }

  private static RequestException refusal(String what, String question, String option) {
    return new RequestException(
        "nothing is changed: " + what + " and " + question + " " + option + " anyway");
  }
}
