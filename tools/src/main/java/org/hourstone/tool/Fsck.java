package org.hourstone.tool;

import java.util.List;
import java.util.function.Predicate;
import org.hourstone.codec.RowKey;
import org.hourstone.error.RequestException;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Scan;
import org.hourstone.rewrite.RowCompactor;
import org.hourstone.uid.UidKind;
import org.hourstone.uid.UidTable;

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
  private final Workers workers;

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
    this.workers = new Workers(options.threads());
    this.listener = new OneAtATime<>(listener);
    this.compactor = compactor;
  }

  /**
   * Checks every row of the table.
   *
   * @param from rows that are complete by this checkpoint are skipped; the report includes them
   * @throws RequestException if most rows would be deleted or many moved, which indicates wrong
   *     settings
   * @throws org.hourstone.kv.StoreException if the store fails
   */
  public FsckReport fullScan(FsckCheckpoint from) {
    long lastMetric = uids.usage(UidKind.METRIC).assigned();
    return run(RowParts.wholeTable(keys, lastMetric, from), row -> true, from.report());
  }

  /**
   * Checks the rows of a selection. Throws as {@link #fullScan} does.
   *
   * @param scans their starts and stops consist of salt, metric and base time
   * @param passes whether a row is selected, by its key
   */
  public FsckReport check(List<Scan> scans, Predicate<byte[]> passes, FsckCheckpoint from) {
    return run(RowParts.of(scans, keys, from), passes, from.report());
  }

  private FsckReport run(RowParts parts, Predicate<byte[]> passes, FsckReport before) {
    FsckTally tally = new FsckTally(before);
    RowFsck rows =
        new RowFsck(
            keys,
            new RowNames(keys, uids),
            new RowRepair(store, family, keys, options, listener),
            compactor,
            options,
            listener,
            tally);
    refuseWithWrongSettings(parts, passes, rows);
    parts.read(
        store,
        family,
        workers,
        row -> {
          listener.listener().nextRow();
          if (passes.test(row.key())) {
            rows.check(row);
          }
        },
        new RowParts.Progress() {
          @Override
          public void reached(long count, int done, int of, List<Scan> rest) {
            FsckCheckpoint checkpoint = new FsckCheckpoint(rest, tally.report());
            listener.call(to -> to.progress(before.rows() + count, done, of, checkpoint));
          }

          @Override
          public void complete() {
            tally.complete();
          }
        });
    return tally.report();
  }

  /**
   * Fails if the settings appear to be wrong. With wrong widths or a wrong salt, every row appears
   * to need deletion or many rows appear to be misplaced; with any wrong number of buckets, at
   * least half of them.
   */
  private void refuseWithWrongSettings(RowParts parts, Predicate<byte[]> passes, RowFsck rows) {
    if (!options.fix()) {
      return;
    }
    boolean deletes =
        options.permits(FsckAction.DELETE_ORPHANS) || options.permits(FsckAction.DELETE_BAD_ROWS);
    FsckSample sample = FsckSample.of(store, family, parts.scans(), passes, rows);
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
