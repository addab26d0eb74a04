package org.hourstone.junit;

import java.nio.file.Path;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.hourstone.Setting;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives tests a database, its clock, and a server if asked.
 *
 * <pre>{@code
 * @RegisterExtension
 * final HourstoneExtension hourstone = new HourstoneExtension().withServer();
 *
 * @Test
 * void storesWhatItMeasures(Tsdb db, TestClock clock, TestServer server) { … }
 * }</pre>
 *
 * <p>In an instance field, each test has a database of its own; in a static field, or in {@code
 * ExtendWith} at the class, or in any field of a class with one instance for all its tests, the
 * tests of the class share one. Databases are new and empty, except for {@linkplain #withLines
 * lines} that the extension is given, and closed with all that belongs to them. A test that leaves
 * a query open fails; if tests share a database, the class does.
 *
 * <p>Tests get them as parameters of type {@link Tsdb}, {@link TestClock} and {@link TestServer},
 * or from this object. Immutable as far as its settings go: each {@code with…} returns another
 * extension. Thread-safe; tests may run in parallel.
 */
public final class HourstoneExtension
    implements BeforeAllCallback,
        BeforeEachCallback,
        AfterEachCallback,
        AfterAllCallback,
        ParameterResolver {
  private static final Set<Class<?>> PARAMETERS =
      Set.of(Tsdb.class, TestClock.class, TestServer.class);

  private final Setup setup;

  /** The databases by the test or class that each belongs to: several, if tests run in parallel. */
  private final Map<String, OpenDatabase> open = new ConcurrentHashMap<>();

  /** Databases in memory. */
  public HourstoneExtension() {
    this(Setup.inMemory());
  }

  private HourstoneExtension(Setup setup) {
    this.setup = setup;
  }

  /**
   * On RocksDB instead, in a temporary directory that is deleted at the end. The project needs the
   * artifact {@code hourstone-backend-rocksdb}.
   */
  public HourstoneExtension onRocksDb() {
    return new HourstoneExtension(setup.inDirectory());
  }

  /** With a server on a free port of 127.0.0.1, for HTTP and telnet. */
  public HourstoneExtension withServer() {
    return new HourstoneExtension(setup.serving());
  }

  /**
   * With a setting.
   *
   * @param key such as {@code tsd.storage.max_tags}
   * @param value as in a file of settings
   * @throws IllegalArgumentException if there is no such setting, or it can't have the value
   */
  public HourstoneExtension with(String key, String value) {
    return new HourstoneExtension(setup.with(key, value));
  }

  /**
   * With a setting, such as {@link org.hourstone.Settings#MAX_TAGS}.
   *
   * @throws IllegalArgumentException if it can't have the value
   */
  public HourstoneExtension with(Setting<?> setting, String value) {
    return new HourstoneExtension(setup.with(setting, value));
  }

  /**
   * With all settings of a program, or {@link TsdbOptions#openTsdbDefaults}, instead of those so
   * far. Their clock is replaced by the {@link TestClock}, and the server's address by a free port.
   */
  public HourstoneExtension withOptions(TsdbOptions options) {
    return new HourstoneExtension(setup.with(options));
  }

  /**
   * With a clock that shows this time first. Without it, that is the second at which the database
   * is opened.
   */
  public HourstoneExtension startingAt(Instant time) {
    return new HourstoneExtension(setup.startingAt(time));
  }

  /**
   * With the points of these lines, such as {@code sys.cpu.user 1700000000 42.5 host=web01}: as in
   * import files, in any order. An invalid line fails each test, with its number.
   */
  public HourstoneExtension withLines(String... lines) {
    return new HourstoneExtension(setup.seeded(Seed.lines(List.of(lines))));
  }

  /** As {@link #withLines}, with the lines of a file; it is unpacked if its name ends in .gz. */
  public HourstoneExtension withFile(Path file) {
    return new HourstoneExtension(setup.seeded(Seed.file(file)));
  }

  /**
   * The database.
   *
   * @throws IllegalStateException if no test runs, or several that have a database each
   */
  public Tsdb db() {
    return only().db();
  }

  /** The database's clock; throws as {@link #db}. */
  public TestClock clock() {
    return only().clock();
  }

  /**
   * The database's server.
   *
   * @throws IllegalStateException as {@link #db}, and if there is none: {@link #withServer}
   */
  public TestServer server() {
    return only().server().orElseThrow(() -> new IllegalStateException(noServer()));
  }

  private static String noServer() {
    return "no server: the extension lacks withServer()";
  }

  private OpenDatabase only() {
    Collection<OpenDatabase> all = List.copyOf(open.values());
    if (all.size() != 1) {
      throw new IllegalStateException(
          all.isEmpty()
              ? "no database: no test of this extension runs. Is it in a field with"
                  + " @RegisterExtension?"
              : all.size()
                  + " databases: tests of this extension run in parallel. Let the tests have"
                  + " parameters, or an instance field with an extension each");
    }
    return all.iterator().next();
  }

  @Override
  public void beforeAll(ExtensionContext context) throws Exception {
    begin(context);
  }

  @Override
  public void beforeEach(ExtensionContext context) throws Exception {
    begin(context);
  }

  private void begin(ExtensionContext context) throws Exception {
    if (find(context) == null) {
      open.put(context.getUniqueId(), new OpenDatabase(setup));
    }
  }

  /** The database of a test or class, or of a class around it. */
  private @Nullable OpenDatabase find(ExtensionContext context) {
    Optional<ExtensionContext> each = Optional.of(context);
    while (each.isPresent()) {
      OpenDatabase found = open.get(each.get().getUniqueId());
      if (found != null) {
        return found;
      }
      each = each.get().getParent();
    }
    return null;
  }

  @Override
  public void afterEach(ExtensionContext context) throws Exception {
    end(context);
  }

  @Override
  public void afterAll(ExtensionContext context) throws Exception {
    end(context);
  }

  private void end(ExtensionContext context) throws Exception {
    OpenDatabase ended = open.remove(context.getUniqueId());
    if (ended != null) {
      ended.close();
    }
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return PARAMETERS.contains(parameter.getParameter().getType());
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    OpenDatabase database = find(context);
    if (database == null) {
      throw new ParameterResolutionException("no database: no test of this extension has begun");
    }
    Class<?> type = parameter.getParameter().getType();
    if (type == TestServer.class) {
      return database.server().orElseThrow(() -> new ParameterResolutionException(noServer()));
    }
    return type == TestClock.class ? database.clock() : database.db();
  }
}
