package org.hourstone.tsd;

import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.hourstone.QuerySettings;
import org.hourstone.Setting;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.KeyValueStores;
import org.hourstone.kv.SkippingStore;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreOptions;
import org.hourstone.kv.StoreUri;
import org.hourstone.write.SingleLine;
import org.jspecify.annotations.Nullable;

/**
 * The context of a command: the streams and global options, and from these the settings and the
 * store. For one thread.
 */
final class Session {
  private static final long STOP_SECONDS = 5;

  private final GlobalOptions global;
  private final Streams streams;
  private final InstantSource clock;
  private final TextOutput out;
  private final PrintStream err;
  private final StatusLine status;
  private SettingSources.@Nullable Loaded loaded;
  private boolean storeShown;

  /**
   * The options that changed settings, such as {@code --port 99}, by the setting, such as {@code
   * key=99}.
   */
  private final Map<String, String> options = new HashMap<>();

  private @Nullable LostRows lost;

  /** Stores to be closed after the databases over them. */
  private final List<KeyValueStore> stores = new ArrayList<>();

  private volatile LongSupplier stored = () -> 0;
  private @Nullable OutOfMemory outOfMemory;
  private final CountDownLatch stopping = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile boolean serves;
  private volatile int endStatus;
  private volatile boolean stopped;
  private volatile Supplier<String> stoppedLine = () -> "";
  private volatile boolean endsWhenStopped;
  private volatile @Nullable StoppableInput input;

  Session(GlobalOptions global, Streams streams, InstantSource clock) {
    this.global = global;
    this.streams = streams;
    this.clock = clock;
    this.status = new StatusLine(streams);
    this.out = new TextOutput(status.before(streams.out(), streams.outIsTerminal()));
    this.err = new PrintStream(status.before(streams.err(), false), true, StandardCharsets.UTF_8);
  }

  Streams streams() {
    return streams;
  }

  TextOutput out() {
    return out;
  }

  /** Whether standard input is a terminal, as reported by the launcher. */
  boolean inIsTerminal() {
    return Boolean.getBoolean("hourstone.stdin.terminal");
  }

  /** The program's name as users know it, set by the launcher. */
  static String program() {
    return System.getProperty("hourstone.program", "hourstone");
  }

  /** Standard error, one write per line. */
  PrintStream err() {
    return err;
  }

  /** The line that shows progress on a terminal. */
  StatusLine status() {
    return status;
  }

  InstantSource clock() {
    return clock;
  }

  /** From now on, ends the process immediately if memory runs out. */
  OutOfMemory endIfOutOfMemory() {
    OutOfMemory ending = new OutOfMemory(streams.err(), () -> stored.getAsLong());
    outOfMemory = ending;
    return ending;
  }

  /**
   * Called when the process must end, for example after Ctrl-C. A command that can end by itself
   * does so; otherwise this erases the progress line and shows the progress made.
   */
  void stop() {
    if (ended.getCount() == 0) {
      return;
    }
    stopped = true;
    stopping.countDown();
    StoppableInput reading = input;
    if (reading != null) {
      reading.stop();
    }
    try {
      if (serves) {
        ended.await();
        Runtime.getRuntime().halt(endStatus); // the JVM's own exit code would be that of the signal
      }
      if (endsWhenStopped && ended.await(STOP_SECONDS, TimeUnit.SECONDS)) {
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (!status.end() && streams.errIsTerminal()) {
      err.println();
    }
    String line = stoppedLine.get();
    if (!line.isEmpty()) {
      err.println(SingleLine.of(line));
    }
  }

  /**
   * Sets the line shown if the process must end before the command has ended. For any thread.
   *
   * @param line an empty text shows nothing
   */
  void whenStopped(Supplier<String> line) {
    stoppedLine = line;
  }

  /** Standard input of a command that {@linkplain #endsWhenStopped ends by itself}. */
  InputStream stoppableInput() {
    if (streams.in() == StandardInput.CLOSED) {
      return streams.in();
    }
    StoppableInput opened = input;
    if (opened == null) {
      opened = new StoppableInput(streams.in());
      input = opened;
      if (stopped) {
        opened.stop();
      }
    }
    return opened;
  }

  /** Declares that the command ends soon after {@link #isStopped} returns true. */
  void endsWhenStopped() {
    endsWhenStopped = true;
  }

  boolean isStopped() {
    return stopped;
  }

  /**
   * From now on the process ends only after the command has ended, since clients may be sending
   * points.
   */
  void serves() {
    serves = true;
    status.end();
  }

  /** Waits until the process must end. It ends after the command, with the command's exit code. */
  void serveUntilStopped() throws InterruptedException {
    stopping.await();
  }

  /** As {@link #stop}, requested by a client; returns immediately. */
  void stopServing() {
    stopping.countDown();
  }

  /** Called when the command has ended. */
  void end(int exitCode) {
    status.end();
    endStatus = exitCode;
    ended.countDown();
  }

  /** Called after an error was thrown on this thread. Does not return if memory has run out. */
  void failed(Throwable thrown) {
    if (outOfMemory != null) {
      outOfMemory.endIfOut(thrown);
    }
  }

  /**
   * Sets the source of the number of points the command has stored.
   *
   * @param count must not allocate
   */
  void countsStored(LongSupplier count) {
    stored = count;
  }

  /** Prints a warning on standard error. */
  void report(String what) {
    err.println("hourstone: " + SingleLine.of(what));
  }

  /**
   * Prints an error, with the stack trace if requested.
   *
   * @return the exit code for it
   */
  int report(Throwable e) {
    Problem problem = Problem.of(e);
    report(problem.message());
    if (global.debug) {
      e.printStackTrace(err);
    }
    return problem.exitCode();
  }

  /**
   * The store's URI: that of {@code --store}, else the HBase cluster of the settings, else the
   * default.
   */
  String storeUri() {
    if (global.store != null) {
      return global.store;
    }
    String named = loaded().store();
    if (named != null && !storeShown) {
      storeShown = true;
      report("the store is " + named + ", by " + OpenTsdbKeys.ZK_QUORUM);
    }
    return named == null ? GlobalOptions.DEFAULT_STORE : named;
  }

  /** The store's URI, if given. */
  @Nullable String givenStore() {
    return global.store;
  }

  /** The settings. The first call warns about settings without effect. */
  TsdbOptions options() {
    return loaded().options();
  }

  private SettingSources.Loaded loaded() {
    SettingSources.Loaded known = loaded;
    if (known == null) {
      known = given(this::load);
      loaded = known;
    }
    return known;
  }

  private SettingSources.Loaded load() {
    SettingSources.Loaded given = loadSettings();
    TsdbOptions inZone = inZone(given.options().withClock(clock));
    inZone.schema(); // used without a database, which would check the other settings
    return new SettingSources.Loaded(inZone, given.store());
  }

  private SettingSources.Loaded loadSettings() {
    try {
      return SettingSources.load(
          global.openTsdbDefaults, global.config, streams.environment(), global.set, this::report);
    } catch (IllegalArgumentException e) {
      String message = String.valueOf(e.getMessage());
      for (Map.Entry<String, String> option : options.entrySet()) {
        if (message.startsWith(option.getKey() + ":")) {
          throw new UsageException(option.getValue() + message.substring(option.getKey().length()));
        }
      }
      throw e;
    }
  }

  private TsdbOptions inZone(TsdbOptions options) {
    String zone = global.timeZone;
    try {
      return zone == null ? options : options.with(QuerySettings.TIMEZONE, ZoneId.of(zone).getId());
    } catch (DateTimeException e) {
      throw new UsageException("--timezone " + zone + ": not a time zone");
    }
  }

  /** Whether {@code --timezone} is given. */
  boolean hasTimeZone() {
    return global.timeZone != null;
  }

  /**
   * The time in an option, in milliseconds since the epoch.
   *
   * @param otherwise the result if the option is not given
   */
  long time(String option, @Nullable String text, long otherwise) {
    return text == null
        ? otherwise
        : QueryWords.time(
            option, text, clock.instant(), options().timeZone(), options().queryDialect());
  }

  /**
   * Changes a setting, as {@code --set} does.
   *
   * @param option the option that was given, for the error if the value is invalid
   */
  void set(String option, Setting<?> key, String value) {
    String set = key.key() + "=" + value;
    global.set.add(set);
    options.put(set, option + " " + value);
  }

  /** Opens the database, or creates it if it does not exist. */
  Tsdb open() {
    return open(options());
  }

  /** As {@link #open()}, with other settings than those given. */
  Tsdb open(TsdbOptions with) {
    return open(storeUri(), with);
  }

  /** As {@link #open()}, with another store than the given one. */
  Tsdb open(String uri) {
    return open(uri, options());
  }

  /** Declares that scans skip rows that can't be read. Must be called before a store is opened. */
  LostRows skipUnreadable() {
    LostRows skipped = new LostRows(this);
    lost = skipped;
    return skipped;
  }

  /** Called when the databases of a command are closed. */
  void closeStores() {
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
    Tsdb db = given(() -> lost == null ? Tsdb.open(uri, with) : openSkipping(lost, uri, with));
    db.uids().onScarcity(usage -> report(UidStatsCommand.warning(usage)));
    db.metadata()
        .failures()
        .onFirst(what -> report("points are stored, but not all of their metadata: " + what));
    db.seriesTrees()
        .onFirstFailure(
            what -> report("points are stored, but not all of their series in trees: " + what));
    return db;
  }

  /**
   * Opens the database for a command that has nothing to do if it does not exist.
   *
   * @throws CommandException if it does not exist
   */
  Tsdb openExisting() {
    checkExists();
    // A command that only reads must not create tables, for example for a mistyped name.
    boolean onDisk = RocksDbPlace.directory(parse(storeUri())) != null;
    return open(onDisk ? withoutTables() : options());
  }

  /**
   * As {@link #openExisting()}, for a command that only reads. If a RocksDB store can't be opened
   * because another process has it open, or its directory can't be written to, its current state is
   * read.
   */
  Tsdb openToRead() {
    // A command that only reads must not create tables, for example for a mistyped name.
    boolean onDisk = RocksDbPlace.directory(parse(storeUri())) != null;
    return openToRead(storeUri(), onDisk ? withoutTables() : options());
  }

  /** As {@link #openToRead()}, with another store than the given one; never creates tables. */
  Tsdb openToRead(String uri) {
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
    return options().with(Settings.CREATE_TABLES, "false");
  }

  /** As {@link #openToRead()}, for a command that shows the series index as it is stored. */
  Tsdb openIndexToRead() {
    try {
      return openExisting();
    } catch (StoreException e) {
      return open(readOnly(storeUri(), e), withoutTables());
    }
  }

  /** As {@link #openToRead}, but only the store, without the engine. */
  KeyValueStore openStoreToRead() {
    try {
      return skipping(openExistingStore());
    } catch (StoreException e) {
      String uri = readOnly(storeUri(), e);
      return given(() -> skipping(KeyValueStores.open(uri, new StoreOptions(clock))));
    }
  }

  private KeyValueStore skipping(KeyValueStore store) {
    return lost == null ? store : new SkippingStore(store, lost);
  }

  /** The URI with which to read a store that can't be opened for writing now; or throws. */
  private String readOnly(String uri, StoreException e) {
    RocksDbPlace.Reading reading = RocksDbPlace.reading(parse(uri), e, lost != null);
    report(reading.reason() + ": it is read as it is now");
    return uri + (uri.indexOf('?') < 0 ? "?" : "&") + "readonly=" + reading.mode();
  }

  /** Opens only the store, without the engine, or creates it if it does not exist. */
  KeyValueStore openStore() {
    return given(() -> KeyValueStores.open(storeUri(), new StoreOptions(clock)));
  }

  /** As {@link #openExisting}, but only the store, without the engine. */
  KeyValueStore openExistingStore() {
    checkExists(storeUri());
    return openStore();
  }

  /**
   * @throws CommandException if the store does not exist
   */
  void checkExists() {
    checkExists(storeUri());
  }

  private static void checkExists(String store) {
    RocksDbPlace.checkExists(parse(store));
  }

  /** A store's URI, given by the user. */
  static StoreUri parse(String uri) {
    return given(() -> StoreUri.parse(uri));
  }

  /** A value computed from settings or a URI; its errors are errors of the user. */
  static <T> T given(Supplier<T> value) {
    try {
      return value.get();
    } catch (IllegalArgumentException e) {
      throw new CommandException(String.valueOf(e.getMessage()), e);
    }
  }
}
