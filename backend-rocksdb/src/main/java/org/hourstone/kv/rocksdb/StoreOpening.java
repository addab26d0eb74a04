package org.hourstone.kv.rocksdb;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongConsumer;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.StoreException;

/** Opens the database of a store: for the first time, and again after a failure. */
final class StoreOpening implements DatabaseWatch.Opening {
  private final String name;
  private final RocksDbOptions options;
  private final InstantSource system;
  private final RocksDbErrors errors;
  private final StorePlace place;
  private final WriteClock clock;
  private final Opened first;

  /** The families whose codecs are known. */
  private final Map<Family, FamilySpec> supplied = new ConcurrentHashMap<>();

  /**
   * Opens it for the first time.
   *
   * @param create whether there is none yet
   * @param mark stores the mark of the write clock
   */
  StoreOpening(
      Path directory,
      boolean create,
      RocksDbOptions options,
      InstantSource system,
      RocksDbErrors errors,
      LongConsumer mark) {
    this.name = "RocksDB store " + directory;
    this.options = options;
    this.system = system;
    this.errors = errors;
    this.place = StorePlace.open(directory, !options.readOnly(), errors);
    try {
      Database database = DatabaseOpening.open(place, create, options, system, errors);
      this.clock = new WriteClock(system, database.records().clock(), mark);
      this.first = opened(database, options);
    } catch (RuntimeException e) {
      place.close();
      throw e;
    }
  }

  StorePlace place() {
    return place;
  }

  WriteClock clock() {
    return clock;
  }

  /** The database as it was opened for the first time. */
  Opened first() {
    return first;
  }

  /** Keeps the codecs of families for later openings. */
  void keep(Collection<FamilySpec> families) {
    families.forEach(spec -> supplied.put(spec.family(), spec));
  }

  /** Opens it again: for writing, or else for reading. */
  @Override
  public Instances.Attempt open(boolean logsMayBeLost) {
    Opened opened = null;
    try {
      opened = open(options.recover(false)); // what it would drop was not missing before
      opened.database().verify(logsMayBeLost);
      return new Instances.Attempt(opened, null);
    } catch (StoreException e) {
      return opened == null ? openToRead(e) : new Instances.Attempt(opened, e);
    }
  }

  private Instances.Attempt openToRead(StoreException unwritable) {
    try {
      return new Instances.Attempt(open(options.readOnly(true)), unwritable);
    } catch (StoreException e) {
      return new Instances.Attempt(null, e);
    }
  }

  private Opened open(RocksDbOptions as) {
    Database database = DatabaseOpening.open(place, false, as, system, errors);
    database.supply(supplied.values());
    return opened(database, as);
  }

  private Opened opened(Database database, RocksDbOptions as) {
    try {
      OwnFiles files = as.readOnly() ? null : OwnFiles.of(place.path(), database.rocks(), errors);
      return new Opened(database, clock, name, files);
    } catch (StoreException e) {
      database.closeUnflushed();
      throw e;
    }
  }
}
