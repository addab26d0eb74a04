package org.hourstone.tsd.session;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.KeyValueStores;
import org.hourstone.kv.SkippingStore;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreOptions;
import org.hourstone.kv.StoreUri;
import org.jspecify.annotations.Nullable;

/**
 * Opens the store that a command was given, or the database over it: to write, to read if it
 * exists, or as it is now if another process has it open. For one thread.
 */
public final class GivenStore {
  private final GivenSettings settings;
  private final InstantSource clock;
  private final Consumer<String> warnings;
  private @Nullable LostRows lost;

  /** That of the daemon which executes the command; else null. */
  private final @Nullable Tsdb open;

  /** Stores to be closed after the databases over them. */
  private final List<KeyValueStore> stores = new ArrayList<>();

  GivenStore(GivenSettings settings, InstantSource clock, Consumer<String> warnings) {
    this(settings, clock, warnings, null);
  }

  private GivenStore(
      GivenSettings settings, InstantSource clock, Consumer<String> warnings, @Nullable Tsdb open) {
    this.open = open;
    this.settings = settings;
    this.clock = clock;
    this.warnings = warnings;
  }

  /** As {@link #open()}, as the writer of a journal if one is given: for a daemon. */
  public Tsdb openAsWriter() {
    return openWith(settings.storeUri(), settings.options());
  }

  /** Opens the database, or creates it if it does not exist. */
  public Tsdb open() {
    return open(settings.options());
  }

  /** A store that is open, as the only one that a command can use. */
  static GivenStore of(
      Tsdb open, GivenSettings settings, InstantSource clock, Consumer<String> warnings) {
    return new GivenStore(settings, clock, warnings, open);
  }

  /** As {@link #open()}, with other settings than those given. */
  public Tsdb open(TsdbOptions with) {
    return open(settings.storeUri(), with);
  }

  /** As {@link #open()}, with another store than the given one. */
  public Tsdb open(String uri) {
    return open(uri, settings.options());
  }

  /** Declares that scans skip rows that can't be read. Must be called before a store is opened. */
  public LostRows skipUnreadable() {
    if (open != null) {
      throw new UsageException("--skip-unreadable is not for a daemon");
    }
    LostRows skipped = new LostRows(settings, warnings);
    lost = skipped;
    return skipped;
  }

  /** Called when the databases of a command are closed. */
  void close() {
    stores.forEach(KeyValueStore::close);
    stores.clear();
  }

  private Tsdb openSkipping(LostRows skipped, String uri, TsdbOptions with) {
    KeyValueStore store =
        new SkippingStore(KeyValueStores.open(uri, new StoreOptions(clock)), skipped);
    try {
      Tsdb db = Tsdb.over(store, with);
      stores.add(store);
      skipped.namedBy(db);
      return db;
    } catch (RuntimeException | Error e) {
      store.close();
      throw e;
    }
  }

  private Tsdb open(String uri, TsdbOptions with) {
    return openWith(uri, withoutWriter(with));
  }

  /** A command with the settings of a daemon must not take over its journal. */
  private static TsdbOptions withoutWriter(TsdbOptions given) {
    if (given.get(Settings.HEAD_WRITER).isEmpty()) {
      return given;
    }
    TsdbOptions without = given.with(Settings.HEAD_WRITER, "");
    return given.get(Settings.HEAD).orElse(false) ? without.with(Settings.HEAD, "auto") : without;
  }

  private Tsdb openWith(String uri, TsdbOptions with) {
    if (open != null) {
      return open.borrowed();
    }
    StoreUri place = GivenSettings.parse(uri);
    boolean isNew = RocksDbPlace.isNew(place);
    Tsdb db =
        GivenSettings.given(
            () -> lost == null ? Tsdb.open(uri, with) : openSkipping(lost, uri, with));
    if (isNew) {
      warnIfForeign(place);
    }
    db.uids().onScarcity(usage -> warnings.accept(UidsLeft.warning(usage)));
    return db;
  }

  private void warnIfForeign(StoreUri made) {
    Path directory = RocksDbPlace.directory(made);
    String foreign = directory == null ? null : RocksDbPlace.foreign(directory);
    if (foreign != null) {
      warnings.accept(foreign);
    }
  }

  /**
   * Opens the database for a command that has nothing to do if it does not exist.
   *
   * @throws CommandException if it does not exist
   */
  public Tsdb openExisting() {
    checkExists();
    // A command that only reads must not create tables, for example for a mistyped name.
    boolean onDisk = RocksDbPlace.directory(GivenSettings.parse(settings.storeUri())) != null;
    return open(onDisk ? withoutTables() : settings.options());
  }

  /** As {@link #openExisting()}, and creates tables that it lacks. */
  public Tsdb openToExtend() {
    checkExists();
    return open();
  }

  /**
   * As {@link #openExisting()}, for a command that only reads. If a RocksDB store can't be opened
   * because another process has it open, or its directory can't be written to, its current state is
   * read.
   */
  public Tsdb openToRead() {
    // A command that only reads must not create tables, for example for a mistyped name.
    boolean onDisk = RocksDbPlace.directory(GivenSettings.parse(settings.storeUri())) != null;
    return openToRead(settings.storeUri(), onDisk ? withoutTables() : settings.options());
  }

  /** As {@link #openToRead()}, with another store than the given one; never creates tables. */
  public Tsdb openToRead(String uri) {
    return openToRead(uri, withoutTables());
  }

  private Tsdb openToRead(String uri, TsdbOptions reading) {
    checkExists(uri);
    try {
      return open(uri, reading);
    } catch (StoreException e) {
      // The process that has it open may have index entries that are not stored yet.
      return open(readOnly(uri, e), reading.with(Settings.INDEX_ENABLE, "false"));
    }
  }

  private TsdbOptions withoutTables() {
    return settings.options().with(Settings.CREATE_TABLES, "false");
  }

  /** As {@link #openToRead()}, for a command that shows the series index as it is stored. */
  public Tsdb openIndexToRead() {
    try {
      return openExisting();
    } catch (StoreException e) {
      return open(readOnly(settings.storeUri(), e), withoutTables());
    }
  }

  /** As {@link #openToRead}, but only the store, without the engine. */
  public KeyValueStore openStoreToRead() {
    try {
      return skipping(openExistingStore());
    } catch (StoreException e) {
      String uri = readOnly(settings.storeUri(), e);
      return GivenSettings.given(() -> skipping(KeyValueStores.open(uri, new StoreOptions(clock))));
    }
  }

  private KeyValueStore skipping(KeyValueStore store) {
    return lost == null ? store : new SkippingStore(store, lost);
  }

  /** The URI with which to read a store that can't be opened for writing now; or throws. */
  private String readOnly(String uri, StoreException e) {
    RocksDbPlace.Reading reading = RocksDbPlace.reading(GivenSettings.parse(uri), e, lost != null);
    warnings.accept(reading.reason() + ": it is read as it is now");
    return uri + (uri.indexOf('?') < 0 ? "?" : "&") + "readonly=" + reading.mode();
  }

  /** Opens only the store, without the engine, or creates it if it does not exist. */
  public KeyValueStore openStore() {
    if (open != null) {
      throw new UsageException("a daemon has the store open");
    }
    return GivenSettings.given(
        () -> KeyValueStores.open(settings.storeUri(), new StoreOptions(clock)));
  }

  /** As {@link #openExisting}, but only the store, without the engine. */
  KeyValueStore openExistingStore() {
    checkExists(settings.storeUri());
    return openStore();
  }

  /**
   * @throws CommandException if the store does not exist
   */
  public void checkExists() {
    checkExists(settings.storeUri());
  }

  private void checkExists(String store) {
    if (open != null) {
      return;
    }
    RocksDbPlace.checkExists(GivenSettings.parse(store));
  }
}
