package org.hourstone.health;

import java.util.List;
import java.util.function.Supplier;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.kv.StoreException;
import org.jspecify.annotations.Nullable;

/** A store whose calls are watched. Exceptions other than the store's are the caller's fault. */
final class WatchedStore extends ForwardingStore {
  private final StoreWatch watch;

  WatchedStore(KeyValueStore store, StoreWatch watch) {
    super(store);
    this.watch = watch;
  }

  private <T> T watched(CallKind kind, int rows, Supplier<T> action) {
    Call call = watch.begin(kind, rows);
    long begun = System.nanoTime();
    try {
      T result = action.get();
      watch.answered(call);
      return result;
    } catch (StoreException e) {
      watch.failed(call, e);
      throw e;
    } finally {
      kind.ended(System.nanoTime() - begun);
      watch.end(call);
    }
  }

  @Override
  public Row get(Family family, byte[] row, Columns columns) {
    return watched(watch.reads(family), 0, () -> super.get(family, row, columns));
  }

  @Override
  public List<Row> get(Family family, List<byte[]> rows, Columns columns) {
    return watched(watch.reads(family), 0, () -> super.get(family, rows, columns));
  }

  @Override
  public RowCursor scan(Family family, Scan scan) {
    Call call = watch.begin(watch.reads(family), 0);
    Runnable check = scan.check();
    Scan watched =
        scan.check(
            () -> {
              call.begin(watch.now()); // the store reads on
              check.run();
            });
    boolean opened = false;
    long begun = System.nanoTime();
    try {
      RowCursor rows = super.scan(family, watched);
      call.end();
      opened = true;
      return new WatchedCursor(rows, call, watch);
    } catch (StoreException e) {
      watch.failed(call, e);
      throw e;
    } finally {
      call.kind.ended(System.nanoTime() - begun);
      if (!opened) {
        watch.end(call);
      }
    }
  }

  @Override
  public void mutate(Family family, List<RowMutation> batch) {
    boolean unused =
        watched(
            watch.writes(family),
            batch.size(),
            () -> {
              super.mutate(family, batch);
              return true;
            });
  }

  @Override
  public long increment(Family family, byte[] row, byte[] qualifier, long delta) {
    return watched(watch.writes(family), 1, () -> super.increment(family, row, qualifier, delta));
  }

  @Override
  public boolean compareAndSet(
      Family family,
      byte[] row,
      byte[] qualifier,
      byte @Nullable [] expected,
      byte @Nullable [] update) {
    return watched(
        watch.writes(family),
        1,
        () -> super.compareAndSet(family, row, qualifier, expected, update));
  }

  @Override
  public List<Boolean> createCells(
      Family family, List<byte[]> rows, byte[] qualifier, List<byte[]> values) {
    return watched(
        watch.writes(family),
        rows.size(),
        () -> delegate().createCells(family, rows, qualifier, values));
  }

  @Override
  public boolean replaceCells(Family family, Row observed, List<Cell> replacement) {
    return watched(
        watch.writes(family), 1, () -> super.replaceCells(family, observed, replacement));
  }
}
