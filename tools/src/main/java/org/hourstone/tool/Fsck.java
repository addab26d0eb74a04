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
  private final FsckTally tally = new FsckTally();
  private final RowFsck rows;
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
    this.rows =
        new RowFsck(
            keys,
            new RowNames(keys, uids),
            new RowRepair(store, family, keys, options, this.listener),
            compactor,
            options,
            this.listener,
            tally);
  }

  /**
   * Checks every row of the table.
   *
   * @param resume rows before this key are skipped; empty for none
   * @throws RequestException if most rows would be deleted or many moved, which indicates wrong
   *     settings
   * @throws org.hourstone.kv.StoreException if the store fails
   */
  public FsckReport fullScan(byte[] resume) {
    long lastMetric = uids.usage(UidKind.METRIC).assigned();
    return run(RowParts.wholeTable(keys, lastMetric, resume), row -> true);
  }

  /**
   * Checks the rows of a selection. Throws as {@link #fullScan} does.
   *
   * @param scans their starts and stops consist of salt, metric and base time
   * @param passes whether a row is selected, by its key
   */
  public FsckReport check(List<Scan> scans, Predicate<byte[]> passes, byte[] resume) {
    return run(RowParts.of(scans, keys, resume), passes);
  }

  private FsckReport run(RowParts parts, Predicate<byte[]> passes) {
    refuseWithWrongSettings(parts, passes);
    parts.read(
        store,
        family,
        workers,
        row -> {
          if (passes.test(row.key())) {
            rows.check(row);
          }
        },
        (count, done, of, next) -> listener.call(to -> to.progress(count, done, of, next)));
    return tally.report();
  }

  /**
   * Fails if the settings appear to be wrong. With wrong widths or a wrong salt, every row appears
   * to need deletion or many rows appear to be misplaced; with any wrong number of buckets, at
   * least half of them.
   */
  private void refuseWithWrongSettings(RowParts parts, Predicate<byte[]> passes) {
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
