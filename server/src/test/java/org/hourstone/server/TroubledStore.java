package org.hourstone.server;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Columns;
import org.hourstone.kv.DiskUsage;
import org.hourstone.kv.Family;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.store.ModelStore;
import org.jspecify.annotations.Nullable;

/** A store with a disk of 1000 bytes, each of whose calls does something first. */
final class TroubledStore extends ForwardingStore implements DiskUsage {
  static final ManualClock CLOCK = new ManualClock(Instant.ofEpochSecond(1_500_000_000));

  /** What each call does; may throw. */
  volatile Runnable before = () -> {};

  volatile long free = 500;

  TroubledStore() {
    super(new ModelStore(CLOCK));
  }

  @Override
  public <T> Optional<T> extension(Class<T> type) {
    return type == DiskUsage.class ? Optional.of(type.cast(this)) : super.extension(type);
  }

  @Override
  public long bytes() {
    return 200;
  }

  @Override
  public Space space() {
    return new Space(free, 1000);
  }

  @Override
  public Row get(Family family, byte[] row, Columns columns) {
    before.run();
    return super.get(family, row, columns);
  }

  @Override
  public List<Row> get(Family family, List<byte[]> rows, Columns columns) {
    before.run();
    return super.get(family, rows, columns);
  }

  @Override
  public RowCursor scan(Family family, Scan scan) {
    before.run();
    return super.scan(family, scan);
  }

  @Override
  public void mutate(Family family, List<RowMutation> batch) {
    before.run();
    super.mutate(family, batch);
  }

  @Override
  public long increment(Family family, byte[] row, byte[] qualifier, long delta) {
    before.run();
    return super.increment(family, row, qualifier, delta);
  }

  @Override
  public boolean compareAndSet(
      Family family,
      byte[] row,
      byte[] qualifier,
      byte @Nullable [] expected,
      byte @Nullable [] update) {
    before.run();
    return super.compareAndSet(family, row, qualifier, expected, update);
  }

  @Override
  public boolean replaceCells(Family family, Row observed, List<Cell> replacement) {
    before.run();
    return super.replaceCells(family, observed, replacement);
  }
}
