package org.hourstone.kv.hbase;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.hourstone.hbase.HBaseProcess;
import org.hourstone.hbase.NeedsHBase;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.FuzzyRow;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.KeyValueStores;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowFilter;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.RowPattern;
import org.hourstone.kv.RowPattern.Presence;
import org.hourstone.kv.RowPattern.Term;
import org.hourstone.kv.Scan;
import org.hourstone.kv.ScanCounts;
import org.hourstone.kv.SchemaMode;
import org.hourstone.testkit.StoreFixture;
import org.hourstone.testkit.store.PacedStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the servers leave out is what the filters and columns of the SPI leave out, and nothing else
 * comes over the network. {@code -Dhourstone.contract.seed} draws other rows and filters.
 */
@NeedsHBase
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class HBasePushDownTest {
  private static final long SEED = Long.getLong("hourstone.contract.seed", 20261121);
  private static final int ROUNDS = 400;

  /** Of keys and qualifiers: few, and those with a meaning to a filter, an expression or a line. */
  private static final byte[] BYTES = {0, 1, '\n', '\\', 'E', 0x7F, (byte) 0x80, (byte) 0xFF};

  @TempDir private Path directory;
  private Family family = new Family("unset", "t");
  private KeyValueStore store;
  private ScanCounts counts;

  @BeforeEach
  void openStore() {
    family = StoreFixture.in(directory, 1).family();
    store = KeyValueStores.open(HBaseProcess.sharedUri() + "?create.split=uid:3");
    store.ensure(List.of(new FamilySpec(family, true)), SchemaMode.CREATE);
    counts = store.extension(ScanCounts.class).orElseThrow();
  }

  @AfterEach
  void closeStore() {
    store.close();
  }

  @Test
  void scansReturnWhatTheirReferenceKeepsAndShipNothingElse() {
    Random random = new Random(SEED);
    List<Row> rows = putRandomRows(random);
    long expectedRows = 0;
    for (int round = 0; round < ROUNDS; round++) {
      Scan scan = scan(random);
      List<String> expected =
          rows.stream()
              .filter(row -> isIn(scan, row.key()) && scan.filter().matches(row.key()))
              .map(row -> kept(row, scan.columns()))
              .filter(row -> !row.isEmpty())
              .map(HBasePushDownTest::show)
              .toList();
      expectedRows += expected.size();

      ScanCounts.Rows before = counts.total();
      List<String> found = read(scan);

      assertThat(found).as("seed %d, round %d: %s", SEED, round, scan).isEqualTo(expected);
      ScanCounts.Rows read = counts.total().minus(before);
      assertThat(read.returned()).isEqualTo(expected.size());
      assertThat(read.shipped()).as("seed %d, %s", SEED, scan).isEqualTo(expected.size());
      assertThat(read.scanned()).isBetween(read.shipped(), (long) rows.size());
    }
    assertThat(expectedRows).as("rows kept by all scans").isGreaterThan(ROUNDS);
  }

  @Test
  void cellsWrittenEarlierAreNotShipped() {
    for (String row : List.of("a", "b", "c")) {
      PacedStore.pass();
      store.mutate(
          family,
          List.of(
              new RowMutation(
                  row.getBytes(UTF_8), new Change.Put(new byte[] {1}, row.getBytes(UTF_8)))));
    }
    long since = store.get(family, new byte[] {'c'}, Columns.all()).writeTime(0);
    ScanCounts.Rows before = counts.total();

    assertThat(read(Scan.all().writtenSince(since))).hasSize(1);
    assertThat(counts.total().minus(before).shipped()).isEqualTo(1);
  }

  @Test
  void multiGetsReturnWhatTheirReferenceKeeps() {
    Random random = new Random(SEED);
    List<Row> rows = putRandomRows(random);
    for (int round = 0; round < ROUNDS / 4; round++) {
      Columns columns = columns(random);
      List<byte[]> keys = new ArrayList<>();
      List<String> expected = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        byte[] key =
            random.nextBoolean()
                ? rows.get(random.nextInt(rows.size())).key()
                : bytes(random, 1 + random.nextInt(6));
        keys.add(key);
        Row present =
            rows.stream()
                .filter(row -> new Bytes(row.key()).equals(new Bytes(key)))
                .findFirst()
                .orElse(Row.empty(key));
        expected.add(show(kept(present, columns)));
      }

      List<String> found =
          store.get(family, keys, columns).stream().map(HBasePushDownTest::show).toList();

      assertThat(found).as("seed %d, round %d: %s", SEED, round, columns).isEqualTo(expected);
    }
  }

  /** Metric, hour, tag pair: what a query for one series of many sends. */
  @Test
  void rowsAreSkippedWhereTheDataIs() {
    List<RowMutation> batch = new ArrayList<>();
    for (int hour = 0; hour < 40; hour++) {
      for (int series = 0; series < 100; series++) {
        byte[] row = ByteBuffer.allocate(4).putShort((short) hour).putShort((short) series).array();
        batch.add(new RowMutation(row, new Change.Put(row, row)));
      }
    }
    store.mutate(family, batch);
    FuzzyRow series =
        new FuzzyRow(new byte[] {0, 0, 0, 50}, new boolean[] {false, false, true, true});

    assertThat(read(Scan.all().filter(series))).hasSize(40);

    ScanCounts.Rows rows = counts.total();
    assertThat(rows.returned()).isEqualTo(40);
    assertThat(rows.shipped()).isEqualTo(40);
    assertThat(rows.scanned()).as("of 4,000").isLessThan(200);
  }

  /** Where a filter would grow too large, part of it is left to us. */
  @Test
  void whatIsShippedInVainIsCounted() {
    List<RowMutation> batch = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      byte[] row = {9, (byte) (i / 50), (byte) i};
      batch.add(new RowMutation(row, new Change.Put(row, row)));
    }
    store.mutate(family, batch);
    List<byte[]> values =
        IntStream.rangeClosed(0, RowFilters.MAX_VALUES)
            .mapToObj(i -> new byte[] {(byte) (i % 10)})
            .toList();
    Term term = new Term(new byte[] {0}, Presence.ONE_OF, values);

    assertThat(read(Scan.all().filter(new RowPattern(1, 1, 1, List.of(term), false)))).hasSize(10);

    assertThat(counts.total()).isEqualTo(new ScanCounts.Rows(100, 50, 10));
  }

  /** Rows of 1 to 6 bytes, of which some look like tag pairs; sorted. */
  private List<Row> putRandomRows(Random random) {
    List<RowMutation> batch = new ArrayList<>();
    IntStream.range(0, 800)
        .mapToObj(i -> new Bytes(bytes(random, 1 + random.nextInt(6))))
        .distinct()
        .forEach(
            key -> {
              List<Change> puts = new ArrayList<>();
              IntStream.rangeClosed(0, random.nextInt(4))
                  .mapToObj(i -> new Bytes(bytes(random, random.nextInt(3))))
                  .distinct()
                  .forEach(name -> puts.add(new Change.Put(name.array(), key.array())));
              batch.add(new RowMutation(key.array(), puts));
            });
    store.mutate(family, batch);
    List<Row> rows = new ArrayList<>();
    try (RowCursor all = store.scan(family, Scan.all())) {
      for (Row row = all.next(); row != null; row = all.next()) {
        rows.add(row);
      }
    }
    assertThat(rows).hasSameSizeAs(batch);
    return rows;
  }

  private List<String> read(Scan scan) {
    List<String> rows = new ArrayList<>();
    try (RowCursor cursor = store.scan(family, scan)) {
      for (Row row = cursor.next(); row != null; row = cursor.next()) {
        rows.add(show(row));
      }
    }
    return rows;
  }

  private static Scan scan(Random random) {
    Bytes one = new Bytes(bytes(random, random.nextInt(3)));
    Bytes other = new Bytes(bytes(random, random.nextInt(3)));
    boolean ordered = one.compareTo(other) < 0;
    Scan range =
        switch (random.nextInt(4)) {
          case 0 -> Scan.range((ordered ? one : other).array(), (ordered ? other : one).array());
          case 1 -> Scan.prefix(one.array());
          default -> Scan.all();
        };
    return range
        .filter(filter(random, 2))
        .columns(columns(random))
        .rowsPerFetch(1 + random.nextInt(200));
  }

  private static RowFilter filter(Random random, int depth) {
    return switch (random.nextInt(depth == 0 ? 3 : 4)) {
      case 0 -> RowFilter.any();
      case 1 -> {
        byte[] template = bytes(random, 1 + random.nextInt(6));
        boolean[] fixed = new boolean[template.length];
        for (int i = 0; i < fixed.length; i++) {
          fixed[i] = random.nextInt(3) == 0;
        }
        yield new FuzzyRow(template, fixed);
      }
      case 2 -> pattern(random);
      default -> {
        List<RowFilter> parts = new ArrayList<>();
        for (int i = 0; i <= random.nextInt(3); i++) {
          parts.add(filter(random, depth - 1));
        }
        yield new RowFilter.AllOf(parts);
      }
    };
  }

  private static RowPattern pattern(Random random) {
    List<Term> terms = new ArrayList<>();
    for (int i = 0; i < random.nextInt(3); i++) {
      Presence presence = List.of(Presence.values()).get(random.nextInt(3));
      List<byte[]> values = new ArrayList<>();
      for (int v = 0; presence == Presence.ONE_OF && v <= random.nextInt(4); v++) {
        values.add(bytes(random, 1));
      }
      terms.add(new Term(bytes(random, 1), presence, values));
    }
    return new RowPattern(random.nextInt(3), 1, 1, terms, random.nextInt(5) == 0);
  }

  private static Columns columns(Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> Columns.exactly(bytes(random, 1), bytes(random, random.nextInt(3)));
      case 1 ->
          new Columns.Range(
              bytes(random, random.nextInt(3)),
              random.nextBoolean() ? null : bytes(random, random.nextInt(3)));
      default -> Columns.all();
    };
  }

  private static boolean isIn(Scan scan, byte[] key) {
    byte[] stop = scan.stop();
    Bytes row = new Bytes(key);
    return row.compareTo(new Bytes(scan.start())) >= 0
        && (stop == null || row.compareTo(new Bytes(stop)) < 0);
  }

  private static Row kept(Row row, Columns columns) {
    int[] kept =
        IntStream.range(0, row.size()).filter(i -> columns.includes(row.qualifier(i))).toArray();
    return Row.of(
        row.key(),
        IntStream.of(kept).mapToObj(row::qualifier).toArray(byte[][]::new),
        IntStream.of(kept).mapToObj(row::value).toArray(byte[][]::new),
        IntStream.of(kept).mapToLong(row::writeTime).toArray());
  }

  private static String show(Row row) {
    StringBuilder text = new StringBuilder(new Bytes(row.key()).toString());
    for (int i = 0; i < row.size(); i++) {
      text.append(' ').append(new Bytes(row.qualifier(i)));
      text.append('=').append(new Bytes(row.value(i))).append('@').append(row.writeTime(i));
    }
    return text.toString();
  }

  private static byte[] bytes(Random random, int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = BYTES[random.nextInt(BYTES.length)];
    }
    return bytes;
  }
}
