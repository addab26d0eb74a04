package org.hourstone.retention;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntConsumer;
import org.hourstone.codec.RowKey;
import org.hourstone.internal.SaltedMetrics;
import org.hourstone.kv.Change;
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
  private final RowKey keys;
  private final UidTable uids;
  private final Expiry expiry;
  private final boolean dryRun;
  private final IntConsumer pace;
  private final Map<String, RetentionReport.OfRule> counts = new TreeMap<>();

  /**
   * @param pace called after rows were deleted, with their number; may wait
   */
  RetentionRun(
      KeyValueStore store,
      RowKey keys,
      UidTable uids,
      Expiry expiry,
      boolean dryRun,
      IntConsumer pace) {
    this.store = store;
    this.keys = keys;
    this.uids = uids;
    this.expiry = expiry;
    this.dryRun = dryRun;
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
    return new RetentionReport(List.copyOf(counts.values()), 0);
  }

  private synchronized void count(RetentionRule rule, String values, long rows, long bytes) {
    counts.merge(
        rule + " " + values,
        new RetentionReport.OfRule(rule.text(), values, rows, bytes),
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
    private final List<RowMutation> batch = new ArrayList<>();
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
      RetentionRule rule = expiry.expiredBy(table.family(), row.key());
      if (rule == null) {
        return;
      }
      count(rule, table.values(), 1, RequestBudget.bytes(row));
      if (!dryRun) {
        batch.add(new RowMutation(row.key(), List.of(new Change.DeleteRow())));
        if (batch.size() == ROWS_PER_BATCH) {
          delete();
        }
      }
    }

    private void delete() {
      if (!batch.isEmpty()) {
        store.mutate(table.family(), List.copyOf(batch));
        deleted += batch.size();
        pace.accept(batch.size());
        batch.clear();
      }
    }
  }
}
