package org.hourstone.rewrite;

import java.util.Arrays;
import java.util.HexFormat;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.Schema;
import org.hourstone.codec.Timestamps;
import org.hourstone.internal.LongScan;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Reclamation;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.Scan;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.hourstone.uid.UidKind;
import org.hourstone.uid.UidTable;
import org.jspecify.annotations.Nullable;

/**
 * Compacts rows by scanning the table, including those that background compaction dropped or never
 * saw; then makes the store reclaim the space of the replaced cells, if it supports {@link
 * Reclamation}. May run alongside writers and other compactors; after a failure it can be run
 * again. Thread-safe.
 */
public final class TableCompactor {
  /**
   * A small number, as each row may be rewritten: a store retains the old cells that an open cursor
   * may still read.
   */
  private static final int ROWS_PER_CURSOR = 1000;

  private final KeyValueStore store;
  private final Family family;
  private final RowKey keys;
  private final UidTable uids;
  private final RowCompactor compactor;

  /**
   * @param family the data table's
   */
  public TableCompactor(
      KeyValueStore store, Family family, RowKey keys, UidTable uids, RowCompactor compactor) {
    this.store = store;
    this.family = family;
    this.keys = keys;
    this.uids = uids;
    this.compactor = compactor;
  }

  /**
   * Compacts the rows in a scope, whether or not background compaction is enabled.
   *
   * @throws org.hourstone.uid.NoSuchNameException if the scope's metric is unknown
   * @throws StoreException if the store fails; rows that were already rewritten stay rewritten
   */
  public CompactionReport run(CompactionScope scope, CompactionListener listener) {
    Run run = new Run(scope, listener);
    if (scope.metric() == null) {
      run.compactAllMetrics();
      run.reclaim(Scan.all());
    } else {
      byte[] metric = uids.uid(UidKind.METRIC, scope.metric());
      for (int bucket = 0; bucket < keys.schema().distinctSalts(); bucket++) {
        byte[] prefix = prefix(keys.salt(bucket), metric);
        run.compactRows(prefix);
        run.reclaim(Scan.prefix(prefix));
      }
    }
    return run.report;
  }

  private static byte[] prefix(byte[] salt, byte[] metric) {
    byte[] prefix = Arrays.copyOf(salt, salt.length + metric.length);
    System.arraycopy(metric, 0, prefix, salt.length, metric.length);
    return prefix;
  }

  /** One run over the table. */
  private final class Run {
    private final CompactionScope scope;
    private final CompactionListener listener;
    private CompactionReport report = CompactionReport.NOTHING;

    Run(CompactionScope scope, CompactionListener listener) {
      this.scope = scope;
      this.listener = listener;
    }

    /** Finds each existing salt and metric by skipping from one to the next. */
    void compactAllMetrics() {
      byte[] from = new byte[0];
      while (from != null) {
        byte[] row = firstRow(from);
        if (row == null) {
          return;
        }
        if (row.length < keys.schema().baseTimeOffset()) {
          skip("row " + hex(row) + " of " + family + " is not a series' row: too short");
          from = Arrays.copyOf(row, row.length + 1);
        } else {
          byte[] prefix = Arrays.copyOf(row, keys.schema().baseTimeOffset());
          compactRows(prefix);
          from = Scan.prefix(prefix).stop();
        }
      }
    }

    private byte @Nullable [] firstRow(byte[] from) {
      try (RowCursor rows = store.scan(family, Scan.range(from, null).limit(1))) {
        Row row = rows.next();
        return row == null ? null : row.key();
      }
    }

    /** Compacts the rows of one salt and metric. */
    void compactRows(byte[] prefix) {
      byte[] start = hour(prefix, scope.firstHour());
      long afterLast = scope.lastHour() + Timestamps.ROW_SECONDS;
      byte[] stop =
          afterLast > Timestamps.MAX_SECONDS ? Scan.prefix(prefix).stop() : hour(prefix, afterLast);
      try (LongScan rows = new LongScan(store, family, Scan.range(start, stop), ROWS_PER_CURSOR)) {
        for (Row row = rows.next(); row != null; row = rows.next()) {
          compact(row);
        }
      }
    }

    private void reclaim(Scan rows) {
      store
          .extension(Reclamation.class)
          .ifPresent(
              reclamation -> {
                listener.reclaiming(report);
                reclamation.reclaim(family, rows.start(), rows.stop());
              });
    }

    private byte[] hour(byte[] prefix, long seconds) {
      if (seconds == 0) {
        return prefix; // rows too short for a base time must also be found
      }
      byte[] key = Arrays.copyOf(prefix, prefix.length + Schema.BASE_TIME_WIDTH);
      keys.setBaseTime(key, seconds);
      return key;
    }

    private void compact(Row row) {
      if (!keys.isSeriesRow(row.key())) {
        if (!keys.isGlobalRow(row.key())) {
          skip("row " + hex(row.key()) + " of " + family + " is not a series' row: odd length");
        }
        return;
      }
      try {
        report = report.with(compactor.compact(row));
        listener.progress(report);
      } catch (CorruptDataException e) {
        skip(String.valueOf(e.getMessage()));
      } catch (StoreException e) {
        if (e.outcome() != Outcome.REJECTED) {
          throw e;
        }
        skip("row " + hex(row.key()) + " of " + family + ": " + e.getMessage());
      } catch (IllegalArgumentException e) { // beyond the limits of a store
        skip("row " + hex(row.key()) + " of " + family + ": " + e.getMessage());
      }
    }

    private void skip(String reason) {
      report = report.withSkipped();
      listener.skipped(reason);
      listener.progress(report);
    }
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }
}
