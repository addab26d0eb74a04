package org.hourstone.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.hourstone.testkit.Binary.bytes;
import static org.hourstone.testkit.Binary.number;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.KeyValueReader;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.kv.SchemaMode;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.Trait;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * A part of the contract: opens a store with one family before each test and closes it after. Parts
 * are usually run all together through {@link KeyValueStoreContract}; to run one alone, extend it
 * and return the store from {@link #subject}.
 */
@ExtendWith(ContractExtension.class)
public abstract class StoreContract {
  private static final List<Class<? extends StoreContract>> PARTS =
      List.of(
          LifecycleContract.class,
          ReadContract.class,
          WriteContract.class,
          WriteTimeContract.class,
          FailureContract.class,
          AtomicsContract.class,
          ReplacementContract.class,
          ScanContract.class,
          FilterContract.class,
          SizeContract.class,
          ConcurrencyContract.class,
          RowAtomicityContract.class,
          ReplacementRaceContract.class,
          DurabilityContract.class,
          SharedHandlesContract.class,
          TraitContract.class,
          ExtensionContract.class,
          ModelContract.class);

  /** More rows of a batch or scan, or cells of a row, than a store handles at once. */
  static final int LARGE = 2_500;

  @TempDir Path directory;

  private StoreFixture fixture;
  private KeyValueStore store;
  private boolean closed = true;

  /** The store this part is run against. */
  protected abstract StoreUnderTest subject();

  /** The names of all contract tests, which {@code knownDeviations} may contain. */
  static Set<String> testNames() {
    Set<String> names = new TreeSet<>();
    for (Class<?> part : PARTS) {
      for (Method method : part.getDeclaredMethods()) {
        if (method.isAnnotationPresent(Test.class) && !names.add(method.getName())) {
          throw new IllegalStateException("two contract tests are named " + method.getName());
        }
      }
    }
    return names;
  }

  @BeforeEach
  final void openStore(TestInfo test) throws Throwable {
    fixture = StoreFixture.in(directory, Long.getLong("hourstone.contract.seed", 20261121L));
    String what = "opening the store for " + name(test);
    store = TestDeadline.get(subject().timeLimit(), what, () -> subject().open(fixture));
    closed = false;
    TestDeadline.run(subject().timeLimit(), what, () -> create(fixture.family()));
  }

  @AfterEach
  final void closeStore(TestInfo test) throws Throwable {
    if (!closed) {
      String what = "closing the store of " + name(test);
      TestDeadline.run(subject().timeLimit(), what, store::close);
    }
  }

  private static String name(TestInfo test) {
    return test.getTestMethod().orElseThrow().getName();
  }

  final StoreFixture fixture() {
    return fixture;
  }

  final KeyValueStore store() {
    return store;
  }

  final Family family() {
    return fixture.family();
  }

  /** A family in a table that does not exist. */
  final Family missing() {
    return new Family(fixture.name() + "missing", "t");
  }

  /** Closes the store, which is then not closed again after the test. */
  final void close() {
    closed = true;
    store.close();
  }

  /** Closes the store unless it is closed, and opens it again. */
  final void reopen() {
    if (!closed) {
      close();
    }
    store = subject().open(fixture);
    closed = false;
  }

  final boolean has(Trait trait) {
    return store.traits().contains(trait);
  }

  /** The extension, or the test is skipped. */
  final <T> T extension(Class<T> type) {
    assumeFalse(store.extension(type).isEmpty(), () -> "no extension " + type.getSimpleName());
    return store.extension(type).orElseThrow();
  }

  final void passTime() {
    subject().passTime(fixture);
  }

  final void create(Family... families) {
    List<FamilySpec> specs = new ArrayList<>();
    for (Family each : families) {
      specs.add(new FamilySpec(each, true));
    }
    store.ensure(specs, SchemaMode.CREATE);
  }

  /**
   * The same numbers every time for one seed; {@code salt} distinguishes generators of one test.
   */
  final RandomGenerator random(int salt) {
    return new java.util.Random(fixture.seed() * 31 + salt);
  }

  final Row get(byte[] row) {
    return store.get(family(), row, Columns.all());
  }

  final void put(byte[] row, byte[] qualifier, byte[] value) {
    store.put(family(), row, qualifier, value);
  }

  final List<Row> rows(Scan scan) {
    return rows(store, family(), scan);
  }

  /** Every row of a scan; {@code next} is also called once more after the end. */
  static List<Row> rows(KeyValueReader reader, Family family, Scan scan) {
    List<Row> rows = new ArrayList<>();
    try (RowCursor cursor = reader.scan(family, scan)) {
      for (Row row = cursor.next(); row != null; row = cursor.next()) {
        rows.add(row);
      }
      assertThat(cursor.next()).as("after the last row").isNull();
    }
    return rows;
  }

  static List<Bytes> keys(List<Row> rows) {
    return rows.stream().map(row -> new Bytes(row.key())).toList();
  }

  static List<Bytes> qualifiers(Row row) {
    List<Bytes> qualifiers = new ArrayList<>();
    for (int i = 0; i < row.size(); i++) {
      qualifiers.add(new Bytes(row.qualifier(i)));
    }
    return qualifiers;
  }

  /** The cells of a row, in its order. */
  static Map<Bytes, Bytes> cells(Row row) {
    Map<Bytes, Bytes> cells = new LinkedHashMap<>();
    for (int i = 0; i < row.size(); i++) {
      cells.put(new Bytes(row.qualifier(i)), new Bytes(row.value(i)));
    }
    return cells;
  }

  /** The cells a row should have: qualifier, value, qualifier, value and so on. */
  static Map<Bytes, Bytes> cells(byte[]... qualifiersAndValues) {
    Map<Bytes, Bytes> cells = new LinkedHashMap<>();
    for (int i = 0; i < qualifiersAndValues.length; i += 2) {
      cells.put(new Bytes(qualifiersAndValues[i]), new Bytes(qualifiersAndValues[i + 1]));
    }
    return cells;
  }

  /** The call is rejected with a message that mentions all of these. */
  static void assertRejected(String what, ThrowingCallable call, String... mentions) {
    assertThat(catchThrowable(call))
        .as("%s, which must be REJECTED", what)
        .isInstanceOfSatisfying(
            StoreException.class,
            failure -> {
              assertThat(failure.outcome())
                  .as("%s: %s", what, failure)
                  .isEqualTo(StoreException.Outcome.REJECTED);
              for (String each : mentions) {
                assertThat(failure).hasMessageContaining(each);
              }
            });
  }

  static void assertIllegal(String what, ThrowingCallable call) {
    assertThat(catchThrowable(call))
        .as("%s, which must be an IllegalArgumentException", what)
        .isInstanceOf(IllegalArgumentException.class);
  }

  static void assertLength(byte[] bytes, int length) {
    assertThat(bytes.length).as("bytes kept").isEqualTo(length);
  }

  /** For long arrays, of which a failure must not print every byte. */
  static void assertSame(byte[] found, byte[] expected) {
    assertLength(found, expected.length);
    assertThat(Arrays.mismatch(found, expected)).as("the first byte that differs").isEqualTo(-1);
  }

  /** Reads a whole number from a system property, so that a nightly run can do more. */
  static int count(String property, int byDefault) {
    return Integer.getInteger(property, byDefault);
  }

  /** Puts a number in each of the cells of a row. */
  final void writeGeneration(List<byte[]> qualifiers, long generation) {
    List<Change> changes = new ArrayList<>();
    for (byte[] qualifier : qualifiers) {
      changes.add(new Change.Put(qualifier, number(generation)));
    }
    store().mutate(family(), List.of(new RowMutation(bytes("row"), changes)));
  }

  /** Cells of a row that all have a number. */
  static List<Cell> generation(List<byte[]> qualifiers, long generation) {
    return qualifiers.stream().map(qualifier -> new Cell(qualifier, number(generation))).toList();
  }
}
