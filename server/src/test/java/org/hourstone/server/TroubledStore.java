package org.hourstone.server;

import java.time.Instant;
import java.util.Optional;
import org.hourstone.kv.DiskUsage;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.store.ActingStore;
import org.hourstone.testkit.store.ModelStore;

/** A store with a disk of 1000 bytes, each of whose calls does something first. */
final class TroubledStore extends ActingStore implements DiskUsage {
  static final ManualClock CLOCK = new ManualClock(Instant.ofEpochSecond(1_500_000_000));

  /** What each call does; may throw. */
  volatile Runnable before = () -> {};

  volatile long free = 500;

  TroubledStore() {
    super(new ModelStore(CLOCK));
  }

  @Override
  protected void before() {
    before.run();
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
}
