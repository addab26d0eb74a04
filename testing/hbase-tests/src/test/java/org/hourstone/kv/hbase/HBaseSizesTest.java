package org.hourstone.kv.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.hourstone.hbase.HBaseProcess;
import org.hourstone.hbase.NeedsHBase;
import org.hourstone.kv.BatchException;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.KeyValueStores;
import org.hourstone.kv.Limits;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.kv.SchemaMode;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.hourstone.testkit.StoreFixture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Large batches, rows and cells, on an HBase of its own: its servers refuse requests of more than
 * 5,000 rows or 96 MB, and cells of more than 10 MB.
 */
@NeedsHBase
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class HBaseSizesTest {
  private static final int MANY = 100_000;
  private static final int MEGABYTE = 1 << 20;
  private static final int LARGEST_REQUEST = 96 * MEGABYTE;
  private static final byte[] ROW = {1};
  private static final byte[] Q = {7};

  private static HBaseProcess hbase;

  @TempDir private Path directory;
  private Family family = new Family("unset", "t");
  private KeyValueStore store;

  @BeforeAll
  static void startServers() {
    hbase =
        HBaseProcess.start(
            "--set",
            "hbase.rpc.rows.size.threshold.reject=true",
            "--set",
            "hbase.ipc.max.request.size=" + LARGEST_REQUEST);
  }

  @AfterAll
  static void stopServers() {
    hbase.close();
  }

  @BeforeEach
  void openStore() {
    family = StoreFixture.in(directory, 1).family();
    // On a busy machine 100 MB take more than the 60 s of the default, and the outcome is unknown.
    store = KeyValueStores.open(hbase.uri() + "?timeout=300s");
    store.ensure(List.of(new FamilySpec(family, true)), SchemaMode.CREATE);
  }

  @AfterEach
  void closeStore() {
    store.close();
  }

  @Test
  void aHundredThousandRowsAreWrittenAndReadInRequestsTheServerTakes() {
    store.mutate(family, rows(MANY));
    List<byte[]> keys = new ArrayList<>();
    for (int i = MANY; i > 0; i--) {
      keys.add(number(i));
    }

    List<Row> found = store.get(family, keys, Columns.all());

    assertThat(found).hasSize(MANY);
    assertThat(found.get(0).isEmpty()).as("was never written").isTrue();
    for (int i = 1; i < MANY; i++) {
      assertThat(found.get(i).find(Q)).as("row %d", i).isEqualTo(number(MANY - i));
    }
  }

  @Test
  void afterALostPartTheRestIsNotSent() throws IOException {
    try (KeyValueStore impatient =
            KeyValueStores.open(hbase.uri() + "?timeout=2s&write.buffer=1m");
        AsyncConnection connection = TableCase.connect(hbase.uri())) {
      connection.getAdmin().disableTable(TableName.valueOf(family.table())).join();

      BatchException failure =
          catchThrowableOfType(BatchException.class, () -> impatient.mutate(family, rows(MANY)));

      assertThat(failure.outcome()).isEqualTo(Outcome.UNKNOWN);
      assertThat(failure.outcomes().subList(0, 1_000)).containsOnly(Outcome.UNKNOWN);
      assertThat(failure.outcomes().subList(MANY / 2, MANY)).containsOnly(Outcome.NOT_APPLIED);
      assertThat(failure)
          .hasMessageContaining(family.toString())
          .hasMessageContaining("of 100000 rows");
    }
  }

  /** With a client that takes less than the SPI. */
  private KeyValueStore strict() throws IOException {
    return configured("hbase.client.keyvalue.maxsize", MEGABYTE);
  }

  private KeyValueStore configured(String name, int value) throws IOException {
    Files.writeString(
        directory.resolve("hbase-site.xml"),
        "<configuration><property><name>%s</name><value>%d</value></property></configuration>"
            .formatted(name, value));
    return KeyValueStores.open(hbase.uri() + "?timeout=20s&conf=" + directory);
  }

  @Test
  void aCellThatIsTooLargeIsNamedAndTheOtherRowsAreWritten() throws IOException {
    List<RowMutation> batch = rows(10);
    batch.set(3, new RowMutation(number(3), new Change.Put(Q, new byte[2 * MEGABYTE])));
    batch.set(
        5,
        new RowMutation(
            number(5),
            List.of(new Change.Put(Q, new byte[2 * MEGABYTE]), new Change.Delete(new byte[] {1}))));

    BatchException failure;
    try (KeyValueStore strict = strict()) {
      failure = catchThrowableOfType(BatchException.class, () -> strict.mutate(family, batch));
    }

    List<Outcome> outcomes = new ArrayList<>(failure.outcomes());
    assertThat(outcomes.remove(5)).isEqualTo(Outcome.REJECTED);
    assertThat(outcomes.remove(3)).isEqualTo(Outcome.REJECTED);
    assertThat(outcomes).containsOnlyNulls();
    assertThat(failure)
        .hasMessageContaining("cannot write " + family + ": a cell of 2097")
        .hasMessageContaining("hbase.client.keyvalue.maxsize=1048576")
        .hasMessageContaining("0000000000000003")
        .hasMessageContaining("2 of 10 rows");
    assertThat(store.get(family, number(9), Columns.all()).find(Q)).isEqualTo(number(9));
    assertThat(store.get(family, number(5), Columns.all()).isEmpty()).isTrue();
  }

  @Test
  void noChangeMayMakeACellThatIsTooLarge() throws IOException {
    byte[] large = new byte[2 * MEGABYTE];
    store.put(family, ROW, Q, Q);
    Row observed = store.get(family, ROW, Columns.all());

    try (KeyValueStore strict = strict()) {
      assertRejected(() -> strict.put(family, ROW, Q, large));
      assertRejected(() -> strict.compareAndSet(family, ROW, Q, Q, large));
      assertRejected(() -> strict.replaceCells(family, observed, List.of(new Cell(ROW, large))));
    }
    assertThat(store.get(family, ROW, Columns.all()).find(Q)).isEqualTo(Q);
  }

  @Test
  void aRowOfAMillionCellsIsWrittenAndRead() {
    int cells = 1_000_000;
    for (int from = 0; from < cells; from += MANY) {
      List<Change> changes = new ArrayList<>();
      for (int i = from; i < from + MANY; i++) {
        changes.add(new Change.Put(number(i), Q));
      }
      store.mutate(family, List.of(new RowMutation(ROW, changes)));
    }
    store.put(family, number(2), Q, Q);

    assertThat(store.get(family, ROW, Columns.all()).size()).isEqualTo(cells);
    Columns.Range part = new Columns.Range(number(5_000), number(7_500));
    assertThat(store.get(family, ROW, part).size()).isEqualTo(2_500);
    assertThat(cellsOfScannedRows()).containsExactly(1, cells);
  }

  @Test
  void aRowOf64MegabytesIsWrittenAtOnceAndReadWhole() {
    byte[] value = new byte[8 * MEGABYTE];
    store.mutate(family, List.of(new RowMutation(ROW, puts(8, value))));

    assertThat(store.get(family, ROW, Columns.all()).value(7)).isEqualTo(value);
    assertThat(store.get(family, List.of(ROW, Q), Columns.all()).get(0).size()).isEqualTo(8);
    assertThat(cellsOfScannedRows()).containsExactly(8);
  }

  @Test
  void changesOfARowThatAreTooLargeForARequestAreRejected() throws IOException {
    try (KeyValueStore knowing = configured("hbase.ipc.max.request.size", LARGEST_REQUEST)) {
      StoreException failure = assertRejected(() -> knowing.mutate(family, tooLarge()));

      assertThat(failure).hasMessageContaining("hbase.ipc.max.request.size=" + LARGEST_REQUEST);
    }
    assertNothingIsStored();
  }

  /** The server's refusal arrives, or the connection is closed before it can. */
  @Test
  void changesOfARowThatOnlyTheServersFindTooLargeAreNotStored() {
    try (KeyValueStore unknowing = KeyValueStores.open(hbase.uri() + "?timeout=20s")) {
      StoreException failure =
          catchThrowableOfType(StoreException.class, () -> unknowing.mutate(family, tooLarge()));

      assertThat(failure.outcome()).isIn(Outcome.REJECTED, Outcome.UNKNOWN);
    }
    assertNothingIsStored();
  }

  private static List<RowMutation> tooLarge() {
    return List.of(new RowMutation(ROW, puts(12, new byte[Limits.VALUE])));
  }

  private void assertNothingIsStored() {
    store.put(family, ROW, Q, Q);
    assertThat(store.get(family, ROW, Columns.all()).size()).as("nothing of it").isEqualTo(1);
  }

  private List<Integer> cellsOfScannedRows() {
    List<Integer> cells = new ArrayList<>();
    try (RowCursor rows = store.scan(family, Scan.all())) {
      for (Row row = rows.next(); row != null; row = rows.next()) {
        cells.add(row.size());
      }
    }
    return cells;
  }

  private static StoreException assertRejected(ThrowingCallable change) {
    StoreException failure = catchThrowableOfType(StoreException.class, change);
    assertThat(failure.outcome()).isEqualTo(Outcome.REJECTED);
    assertThat(failure).hasMessageContaining("cannot write").hasMessageNotContaining("\n");
    return failure;
  }

  private static List<RowMutation> rows(int count) {
    List<RowMutation> batch = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      batch.add(new RowMutation(number(i), new Change.Put(Q, number(i))));
    }
    return batch;
  }

  private static List<Change> puts(int count, byte[] value) {
    List<Change> puts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      puts.add(new Change.Put(number(i), value));
    }
    return puts;
  }

  private static byte[] number(long number) {
    return ByteBuffer.allocate(8).putLong(number).array();
  }
}
