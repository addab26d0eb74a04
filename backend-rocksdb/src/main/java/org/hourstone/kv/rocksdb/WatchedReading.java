package org.hourstone.kv.rocksdb;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.IntConsumer;
import org.hourstone.kv.Backups;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;

/** Counts what a backup reads, and ends it when it is cancelled. For one thread. */
final class WatchedReading implements IntConsumer {
  private final Backups.Watch watch;
  private final long all;
  private long read;

  private WatchedReading(Backups.Watch watch, long all) {
    this.watch = watch;
    this.all = all;
  }

  /** For the files of a directory. */
  static WatchedReading of(Path directory, List<String> names, Backups.Watch watch)
      throws IOException {
    long all = 0;
    for (String name : names) {
      all += Files.size(directory.resolve(name));
    }
    return new WatchedReading(watch, all);
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
