package org.hourstone.kv.rocksdb;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.hourstone.kv.StoreException;
import org.jspecify.annotations.Nullable;

/**
 * Looks after an open store in a thread of its own: begins an {@link Outages outage} when RocksDB
 * refuses writes, or when the store's directory was moved or its files replaced, and ends it. After
 * a failure RocksDB is not used for writes any more: the store is opened again once its file system
 * accepts files, which is tried once a second. The pauses between openings become longer while they
 * fail. It is not opened again if RocksDB has found corrupt data, which it would find again.
 */
final class DatabaseWatch {
  /** Opens a store again. */
  interface Opening {
    /**
     * @param logsMayBeLost whether what is in the logs must be written to other files before a
     *     change is acknowledged, since the sync of a log may have failed
     */
    Instances.Attempt open(boolean logsMayBeLost);
  }

  /** The time between two looks. */
  static final long PERIOD = TimeUnit.SECONDS.toNanos(1);

  private final StorePlace place;
  private final RocksDbErrors errors;
  private final Instances instances;
  private final Outages outages;
  private final Opening opening;
  private final Thread thread = new Thread(this::run, "hourstone-rocksdb-watch");

  private boolean isFailed;
  private boolean isStopped;

  // Only for the thread.
  private OwnFiles files;
  private boolean isOut;
  private boolean isCorrupt;
  private boolean logsMayBeLost;
  private final ReopeningPauses pauses = new ReopeningPauses(System.nanoTime());

  /**
   * @param files those of the present instance
   */
  DatabaseWatch(
      StorePlace place,
      RocksDbErrors errors,
      Instances instances,
      OwnFiles files,
      Outages outages,
      Opening opening) {
    this.place = place;
    this.errors = errors;
    this.files = files;
    this.instances = instances;
    this.outages = outages;
    this.opening = opening;
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  /** Begins an outage: writes have failed, and may fail until the store is opened again. */
  void failed(StoreException failure) {
    outages.begin(Outages.Kind.FAILED, errors.reason(failure));
    synchronized (this) {
      isFailed = true;
      notifyAll();
    }
  }

  /** Waits until the thread has ended. */
  void stop() {
    synchronized (this) {
      isStopped = true;
      notifyAll();
    }
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    while (awaitPeriod()) {
      try {
        look();
      } catch (StoreException | IllegalStateException e) {
        // The next look may succeed.
      }
    }
  }

  /** False if the thread is to end. */
  private synchronized boolean awaitPeriod() {
    long until = System.nanoTime() + PERIOD;
    while (!isStopped && !(isFailed && !isOut)) {
      long left = TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime());
      if (left <= 0) {
        break;
      }
      try {
        wait(left);
      } catch (InterruptedException e) {
        return false;
      }
    }
    return !isStopped;
  }

  private void look() {
    lookAtPlace();
    if (outages.is(Outages.Kind.LOST)) {
      return;
    }
    if (!isOut) {
      lookAtWrites();
    } else if (!isCorrupt && pauses.isDue(System.nanoTime())) {
      attempt();
    }
  }

  /** Compares the directory and its files with those that were opened. */
  private void lookAtPlace() {
    String replaced = instances.peek(this::replaced);
    judge(replaced != null ? replaced : files.lockReplaced());
  }

  /** As the thread does, at the end, when no call is in progress. */
  void lookAtPlace(Opened last) {
    judge(replaced(last));
  }

  private void judge(@Nullable String replaced) {
    if (replaced != null) {
      outages.begin(Outages.Kind.LOST, replaced);
      return;
    }
    String moved = place.moved();
    if (moved == null) {
      outages.end(Outages.Kind.MOVED);
    } else if (place.isFollowed()) {
      outages.begin(Outages.Kind.MOVED, moved);
    } else {
      outages.begin(Outages.Kind.LOST, moved);
    }
  }

  private @Nullable String replaced(Opened opened) {
    OwnFiles its = opened.files();
    if (its == null) {
      return null;
    }
    files = its;
    String replaced = its.replaced();
    if (replaced == null) {
      replaced = opened.database().replaced();
    }
    if (replaced != null) {
      opened.database().stop();
    }
    return replaced;
  }

  private void lookAtWrites() {
    StoreException failure =
        instances.<StoreException>peek(
            opened -> {
              if (opened.database().hasBackgroundErrors()) {
                opened.database().checkWrites();
              }
              StoreException found = opened.database().failure();
              if (found != null) {
                opened.database().stop(); // ends writes that wait
              }
              return found;
            });
    if (failure == null) {
      return;
    }
    outages.begin(Outages.Kind.FAILED, errors.reason(failure));
    isOut = true;
    logsMayBeLost = !RocksDbErrors.isLackOfSpace(failure);
    isCorrupt = RocksDbErrors.isCorruption(failure);
    pauses.failed(System.nanoTime());
  }

  private void attempt() {
    StoreException failure = probe();
    if (failure == null) {
      failure = instances.replace(() -> opening.open(logsMayBeLost));
      if (failure != null) {
        pauses.notOpened(System.nanoTime());
      }
    }
    if (failure == null) {
      isOut = false;
      pauses.opened(System.nanoTime());
      synchronized (this) {
        isFailed = false;
      }
      outages.end(Outages.Kind.FAILED);
    } else {
      outages.goesOn(Outages.Kind.FAILED, errors.reason(failure));
    }
  }

  private @Nullable StoreException probe() {
    try {
      place.probe();
      return null;
    } catch (IOException e) {
      return errors.inUse(e);
    }
  }
}
