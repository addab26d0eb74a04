package org.hourstone.kv.rocksdb;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import org.hourstone.kv.DiskUsage;

/** The disk of a store's directory. Thread-safe. */
final class StoreDisk implements DiskUsage {
  private final StorePlace place;
  private final Instances instances;
  private final RocksDbErrors errors;
  private final File directory;

  StoreDisk(Path directory, StorePlace place, Instances instances, RocksDbErrors errors) {
    this.place = place;
    this.instances = instances;
    this.errors = errors;
    this.directory = directory.toFile();
  }

  @Override
  public long bytes() {
    return instances.call(
        opened -> {
          try {
            return StoreFiles.bytes(place.path());
          } catch (IOException e) {
            throw errors.inUse(e);
          }
        });
  }

  /** By the path, since the directory's descriptor is closed with the store. */
  @Override
  public Space space() {
    long total = directory.getTotalSpace();
    if (total <= 0) {
      throw errors.inUse(new IOException("its file system can't be examined"));
    }
    return new Space(directory.getUsableSpace(), total);
  }
}
