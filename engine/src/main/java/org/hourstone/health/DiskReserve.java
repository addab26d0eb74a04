package org.hourstone.health;

import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.hourstone.internal.ForeignCode;
import org.hourstone.kv.Backups;
import org.hourstone.kv.DiskUsage;
import org.hourstone.kv.DiskUsage.Space;
import org.hourstone.kv.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Free space on a store's disk that clients can't use: while less is free, nothing new is accepted,
 * so that what was accepted can be written, files can be merged, and data can be deleted. Whoever
 * puts something new calls {@link #admit} before it: points of all kinds, names and their changes,
 * annotations, metadata, trees, copied and loaded cells. What follows from accepted points does
 * not, nor do compaction, repairs and the series index.
 *
 * <p>Refusals begin when less than the reserve is free, and end when a tenth more than the reserve
 * is, so that they don't alternate with every file that comes and goes. The disk is looked at once
 * a second, and ten times a second if little is free, by a thread of its own: a file system may not
 * answer, and then nothing else waits for it. Thread-safe.
 */
public final class DiskReserve implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger("org.hourstone.store");

  private static final long LEAST = 1L << 30;

  /** The default is at least this part of the disk, and at most that one; as divisors. */
  private static final int PART = 50;

  private static final int LARGEST_PART = 10;

  private static final int HYSTERESIS = 10;

  /** Of how many reserves less is little. */
  private static final int FAR = 4;

  private static final int PERIOD_MILLIS = 1000;
  private static final int NEAR_PERIOD_MILLIS = 100;

  private final @Nullable DiskUsage disk;
  private final String store;
  private final Optional<Long> configured;
  private final LongSupplier nanos;
  private final LongAdder refused = new LongAdder();
  private final Thread thread = new Thread(this::run, "hourstone-disk-watch");

  private volatile @Nullable Space space;
  private volatile @Nullable String refusal;

  // For the thread that looks.
  private long refusedBefore;
  private long since;
  private boolean isUnknown;

  DiskReserve(
      @Nullable DiskUsage disk, String store, Optional<Long> configured, LongSupplier nanos) {
    this.disk = disk;
    this.store = store;
    this.configured = configured;
    this.nanos = nanos;
    thread.setDaemon(true);
    look();
  }

  /**
   * The reserve on the disk of a store, which is looked at once; {@link #start} must follow.
   *
   * @param configured its bytes; 0 for none; empty for the default
   */
  public static DiskReserve of(KeyValueStore store, Optional<Long> configured) {
    DiskUsage disk = store.extension(DiskUsage.class).orElse(null);
    return new DiskReserve(disk, store.toString(), configured, System::nanoTime);
  }

  /** Begins to look repeatedly, if the store has a disk. */
  public void start() {
    if (disk != null) {
      thread.start();
    }
  }

  private void run() {
    try {
      while (!Thread.currentThread().isInterrupted()) {
        Thread.sleep(isNear() ? NEAR_PERIOD_MILLIS : PERIOD_MILLIS);
        ForeignCode.run(this::look); // without this thread the last judgement would stay
      }
    } catch (InterruptedException e) {
      // By close(): nothing is left to look at.
    }
  }

  private boolean isNear() {
    Space now = space;
    return now != null && now.free() / FAR < bytes(now.total());
  }

  /** Looks at the disk. For one thread at a time. */
  void look() {
    if (disk == null) {
      return;
    }
    try {
      judge(disk.space());
      isUnknown = false;
    } catch (RuntimeException e) { // of a store that may not be ours
      if (!isUnknown) {
        LOG.log(Level.WARNING, "the free space of the disk is not known: " + e.getMessage());
      }
      isUnknown = true;
    }
  }

  private void judge(Space now) {
    space = now;
    long reserve = bytes(now.total());
    boolean refuses = refusal != null;
    if (now.free() - reserve < (refuses ? reserve / HYSTERESIS : 0)) { // without an overflow
      String reason =
          "the disk is nearly full: "
              + size(now.free())
              + " of "
              + size(now.total())
              + " are free for "
              + store
              + ", the reserve is "
              + size(reserve)
              + " (hourstone.disk.reserve)";
      if (!refuses) {
        since = nanos.getAsLong();
        refusedBefore = refused.sum();
        LOG.log(Level.WARNING, "new points are refused: " + reason);
      }
      refusal = reason;
    } else if (refuses) {
      refusal = null;
      LOG.log(
          Level.INFO,
          "new points are accepted again, after "
              + Duration.ofNanos(nanos.getAsLong() - since).toSeconds()
              + " s and "
              + (refused.sum() - refusedBefore)
              + " refusals: "
              + size(now.free())
              + " are free for "
              + store);
    }
  }

  /** The reserve on a disk of this size. */
  private long bytes(long total) {
    return configured.orElse(Math.min(Math.max(LEAST, total / PART), total / LARGEST_PART));
  }

  private static String size(long bytes) {
    if (bytes < 10L << 20) {
      return (bytes >> 10) + " KB";
    }
    return bytes < 10L << 30 ? (bytes >> 20) + " MB" : (bytes >> 30) + " GB";
  }

  /**
   * Must be called before something new is accepted.
   *
   * @throws DiskReserveException if the disk is nearly full
   */
  public void admit() {
    String reason = refusal;
    if (reason != null) {
      refused.increment();
      throw new DiskReserveException("refused: " + reason);
    }
  }

  /** Why new points are refused; null if they are not. */
  public @Nullable String refusal() {
    return refusal;
  }

  /** The disk as last seen; null if the store has none, or it is not known. */
  public @Nullable DiskSpace space() {
    Space now = space;
    return now == null ? null : new DiskSpace(now.free(), now.total(), bytes(now.total()));
  }

  /** The backups of the store, made so that the reserve stays free. */
  public Backups respectedBy(Backups backups) {
    return new Backups() {
      @Override
      public Backup create(Path directory, int keep, long least, Watch watch) {
        DiskSpace now = space();
        long reserve = now == null ? 0 : now.reserve();
        return backups.create(directory, keep, Math.max(least, reserve), watch);
      }

      @Override
      public Optional<Instant> latest(Path directory) {
        return backups.latest(directory);
      }
    };
  }

  /** Ends the looking; does not wait for a look that is in progress. */
  @Override
  public void close() {
    thread.interrupt();
  }
}
