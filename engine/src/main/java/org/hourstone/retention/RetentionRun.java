package org.hourstone.retention;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntConsumer;
import org.hourstone.codec.RowKey;
import org.hourstone.internal.SaltedMetrics;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Change;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Reclamation;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.query.RequestBudget;
import org.hourstone.table.TableListener;
import org.hourstone.table.TableRange;
import org.hourstone.table.TableRanges;
import org.hourstone.table.TableRun;
import org.hourstone.uid.UidKind;
import org.hourstone.uid.UidTable;

/**
 * One run that deletes the rows that have expired, or only counts them. A row is deleted whole,
 * with its annotations, in one change; so after an interruption each row is there or not. Used
 * once.
 */
final class RetentionRun {
  /** A row may be deleted, so cursors are short, as in compaction. */
  private static final int ROWS_PER_CURSOR = 1000;

  private static final int ROWS_PER_BATCH = 500;

  private final KeyValueStore store;
  private final Family points;
  private final RowKey keys;
  private final UidTable uids;
  private final Expiry expiry;
  private final boolean dryRun;
  private final ExpiringPoints expiring;
  private final FeedingRows feeding;
  private final IntConsumer pace;
  private final Map<String, RetentionReport.OfRule> counts = new TreeMap<>();
  private long waiting;

  /** A row that has expired. */
  private record Expired(byte[] row, RetentionRule rule, long bytes) {}

  /**
   * @param points the family whose rows are of points that may be rolled up
   * @param pace called after rows were deleted, or could not be yet, with their number; may wait
   */
  RetentionRun(
      KeyValueStore store,
      Family points,
      RowKey keys,
      UidTable uids,
      Expiry expiry,
      boolean dryRun,
      ExpiringPoints expiring,
      IntConsumer pace) {
    this.store = store;
    this.points = points;
    this.keys = keys;
    this.uids = uids;
    this.expiry = expiry;
    this.dryRun = dryRun;
    this.expiring = expiring;
    this.feeding = new FeedingRows(store, points, keys, expiry, expiring, dryRun);
    this.pace = pace;
  }

  RetentionReport run(int threads, TableListener listener) {
    long metrics = uids.usage(UidKind.METRIC).assigned();
    for (Expiry.Table table : expiry.tables()) {
      if (!store.families().contains(table.family())) {
        continue; // of rollups that are configured, and were not computed yet
      }
      List<TableRange> ranges =
          TableRange.of(table.family(), TableRanges.ofRows(keys, metrics, TableRun.RANGES));
      TableRun run = new TableRun(store, ranges, threads, listener).reopeningEvery(ROWS_PER_CURSOR);
      run.run(range -> new OfRange(table, run, range).expire());
    }
    return report();
  }

  /** What has been done until now. */
  synchronized RetentionReport report() {
    return new RetentionReport(List.copyOf(counts.values()), waiting, 0);
  }

  private synchronized void countWaiting(int rows) {
    waiting += rows;
  }

  private synchronized void count(Expired row, String values) {
    counts.merge(
        row.rule + " " + values,
        new RetentionReport.OfRule(row.rule.text(), values, 1, row.bytes),
        (a, b) ->
            new RetentionReport.OfRule(
                a.rule(), a.values(), a.rows() + b.rows(), a.bytes() + b.bytes()));
  }

  /** The part of one thread. */
  private final class OfRange {
    private final Expiry.Table table;
    private final TableRun run;
    private final TableRange range;
    private final SaltedMetrics rows;
    private final List<Expired> batch = new ArrayList<>();
    private long deleted;

    OfRange(Expiry.Table table, TableRun run, TableRange range) {
      this.table = table;
      this.run = run;
      this.range = range;
      this.rows = new SaltedMetrics(store, table.family(), keys);
    }

    /** Skips from one salt and metric to the next, and over what can't have expired. */
    void expire() {
      rows.forEach(
          range.rest(),
          row -> {},
          prefix -> {
            expire(prefix);
            return !run.isStopped();
          });
    }

    private void expire(byte[] prefix) {
      long before = expiry.mayHaveExpiredBefore(table, rows.metric(prefix));
      if (before > 0 && feeding.areIn(table)) {
        before = Math.min(before, feeding.mayBeUnneededBefore(rows.metric(prefix)));
      }
      if (before == 0) {
        return;
      }
      Scan old =
          Scan.range(SaltedMetrics.hour(keys, prefix, 0), SaltedMetrics.hour(keys, prefix, before));
      long deletedBefore = deleted;
      run.read(range, old, this::take);
      delete();
      if (deleted > deletedBefore) {
        store
            .extension(Reclamation.class)
            .ifPresent(space -> space.reclaim(table.family(), old.start(), old.stop()));
      }
    }

    private void take(Row row) {
      RetentionRule rule = expiry.deletableBy(table.family(), row.key());
      if (rule != null) {
        batch.add(new Expired(row.key(), rule, RequestBudget.bytes(row)));
        if (batch.size() == ROWS_PER_BATCH) {
          delete();
        }
      }
    }

    private void delete() {
      if (batch.isEmpty()) {
        return;
      }
      int found = batch.size();
      if (table.family().equals(points)) {
        Set<Bytes> awaited = expiring.awaited(batch.stream().map(Expired::row).toList());
        batch.removeIf(row -> awaited.contains(new Bytes(row.row)));
        countWaiting(found - batch.size());
      } else if (feeding.areIn(table)) {
        batch.removeIf(row -> feeding.isNeeded(table, row.row));
      }
      // A batch may wait: what has been renamed since may have another rule.
      batch.removeIf(row -> expiry.deletableBy(table.family(), row.row) == null);
      if (!dryRun && !batch.isEmpty()) {
        if (table.family().equals(points)) {
          long last = batch.stream().mapToLong(row -> keys.baseTime(row.row)).max().orElse(0);
          expiring.expire(table.span().next(last));
          expiring.deleting(batch.stream().map(Expired::row).toList());
        }
        store.mutate(table.family(), batch.stream().map(OfRange::deletion).toList());
        deleted += batch.size();
      }
      batch.forEach(row -> count(row, table.values()));
      batch.clear();
      if (!dryRun) {
        pace.accept(found);
      }
    }

    private static RowMutation deletion(Expired row) {
      return new RowMutation(row.row, List.of(new Change.DeleteRow()));
    }
  }
}
