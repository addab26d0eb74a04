package org.hourstone.rewrite;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.Timestamps;
import org.hourstone.error.RequestException;
import org.hourstone.internal.SaltedMetrics;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Reclamation;
import org.hourstone.kv.Row;
import org.hourstone.kv.Scan;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.hourstone.table.TableRange;
import org.hourstone.table.TableRanges;
import org.hourstone.table.TableRun;
import org.hourstone.uid.UidKind;
import org.hourstone.uid.UidTable;

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

  /** As {@link #run(CompactionScope, int, CompactionListener)}, on the calling thread. */
  public CompactionReport run(CompactionScope scope, CompactionListener listener) {
    return run(scope, 1, listener);
  }

  /**
   * Compacts the rows in a scope, whether or not background compaction is enabled.
   *
   * @param threads the number of threads, at least 1; each has at most one row in memory
   * @throws RequestException if the number of threads is less
   * @throws org.hourstone.uid.NoSuchNameException if the scope's metric is unknown
   * @throws StoreException if the store fails; rows that were already rewritten stay rewritten
   */
  public CompactionReport run(CompactionScope scope, int threads, CompactionListener listener) {
    if (threads < 1) {
      throw new RequestException("threads: " + threads);
    }
    Run run = new Run(scope, listener);
    if (scope.metric() == null) {
      run.compact(
          TableRanges.ofRows(keys, uids.usage(UidKind.METRIC).assigned(), TableRun.RANGES),
          threads);
      run.reclaim(Scan.all());
    } else {
      byte[] metric = uids.uid(UidKind.METRIC, scope.metric());
      List<byte[]> prefixes = new ArrayList<>();
      for (int bucket = 0; bucket < keys.schema().distinctSalts(); bucket++) {
        prefixes.add(SaltedMetrics.prefix(keys.salt(bucket), metric));
      }
      int each = Math.max(1, TableRun.RANGES / prefixes.size());
      run.compact(
          prefixes.stream().flatMap(prefix -> run.hours(prefix, each).stream()).toList(), threads);
      prefixes.forEach(prefix -> run.reclaim(Scan.prefix(prefix)));
    }
    return run.report;
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

    /** The scope's hours of a salt and metric, in some ranges. */
    List<Scan> hours(byte[] prefix, int wanted) {
      Scan all = Scan.prefix(prefix);
      List<Scan> hours = new ArrayList<>(TableRanges.ofHours(hours(prefix), keys, wanted));
      if (scope.firstHour() == 0) { // rows too short for a base time must also be found
        hours.set(0, Scan.range(prefix, hours.get(0).stop()));
      }
      int last = hours.size() - 1;
      if (scope.isOpen()) {
        hours.set(last, Scan.range(hours.get(last).start(), all.stop()));
      }
      return hours;
    }

    private Scan hours(byte[] prefix) {
      long afterLast = Math.min(scope.lastHour() + Timestamps.ROW_SECONDS, Timestamps.MAX_SECONDS);
      return Scan.range(
          SaltedMetrics.hour(keys, prefix, scope.firstHour()),
          SaltedMetrics.hour(keys, prefix, afterLast));
    }

    void compact(List<Scan> scans, int threads) {
      TableRun run =
          new TableRun(store, TableRange.of(family, scans), threads, listener)
              .reopeningEvery(ROWS_PER_CURSOR);
      if (scope.metric() != null || (scope.firstHour() == 0 && scope.isOpen())) {
        run.readAll(this::compact);
      } else {
        run.run(range -> compactHours(run, range));
      }
    }

    private void compactHours(TableRun run, TableRange range) {
      new SaltedMetrics(store, family, keys)
          .forEach(
              range.rest(),
              this::skipNoSeries,
              prefix -> {
                for (Scan hours : hours(prefix, 1)) {
                  run.read(range, hours, this::compact);
                }
                return true;
              });
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

    private void compact(Row row) {
      if (!keys.isSeriesRow(row.key())) {
        if (!keys.isGlobalRow(row.key())) {
          skipNoSeries(row.key());
        }
        return;
      }
      try {
        add(compactor.compact(row));
      } catch (CorruptDataException e) {
        skip(String.valueOf(e.getMessage()));
      } catch (StoreException e) {
        if (e.outcome() != Outcome.REJECTED) {
          throw e;
        }
        skip(name(row.key()) + ": " + e.getMessage());
      } catch (IllegalArgumentException e) { // beyond the limits of a store
        skip(name(row.key()) + ": " + e.getMessage());
      }
    }

    private synchronized void add(CompactionOutcome outcome) {
      report = report.with(outcome);
    }

    private void skipNoSeries(byte[] row) {
      boolean tooShort = row.length < keys.schema().baseTimeOffset();
      skip(name(row) + " is not a series' row: " + (tooShort ? "too short" : "odd length"));
    }

    private synchronized void skip(String why) {
      report = report.withSkipped();
      synchronized (listener) {
        listener.skipped(why);
      }
    }
  }

  private String name(byte[] row) {
    return "row " + HexFormat.of().formatHex(row) + " of " + family;
  }
}
