package org.hourstone.kv.rocksdb;

import java.util.function.IntConsumer;
import org.hourstone.kv.Backups;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;

/** Counts what a backup reads, and ends it when it is cancelled. For one thread. */
final class WatchedReading implements IntConsumer {
  private final Backups.Watch watch;
  private final long all;
  private long read;

  /**
   * @param all the bytes of all files
   */
  WatchedReading(Backups.Watch watch, long all) {
    this.watch = watch;
    this.all = all;
  }

  @Override
  public void accept(int bytes) {
    if (watch.isCancelled()) {
      throw new StoreException(Outcome.NOT_APPLIED, "the backup was cancelled");
    }
    read = Math.min(all, read + bytes); // a file that is compared and differs is read again
    watch.progress(read, all);
  }
}
