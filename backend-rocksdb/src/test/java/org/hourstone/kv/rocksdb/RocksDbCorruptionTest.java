package org.hourstone.kv.rocksdb;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.hourstone.kv.BatchException;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.FlatKeys;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.KeyValueStores;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.kv.SchemaMode;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDBException;

/** A store that is not as it was left is refused, never read as something it is not. */
class RocksDbCorruptionTest {
  private static final Family FAMILY = new Family("tsdb", "t");
  private static final byte[] QUALIFIER = {7};
  private static final int ROWS = 2_000;

  @TempDir Path directory;
  private Path store;

  @BeforeEach
  void nameTheStore() {
    store = directory.resolve("store");
  }

  @Test
  void whatAKilledProcessLeavesOpensWithEveryAcknowledgedChange() throws IOException {
    Path left = killed();
    try (KeyValueStore survivor = open(left)) {
      assertThat(countRows(survivor)).isEqualTo(ROWS);
    }
  }

  @Test
  void aMissingTableFileIsRefused() throws IOException {
    create().close();
    for (Path table : StoreDirectory.files(store, "*.sst")) {
      Files.delete(table);
    }
    assertThatThrownBy(() -> open(store))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining(store.toString());
  }

  @Test
  void aMissingCurrentFileIsNotTakenForAnEmptyStore() throws IOException {
    create().close();
    Files.delete(store.resolve("CURRENT"));
    assertRejected(() -> open(store), store.toString(), "CURRENT");
    assertRejected(() -> openToRead(store), store.toString(), "CURRENT");
  }

  @Test
  void aCorruptCurrentFileIsRefused() throws IOException {
    create().close();
    Files.writeString(store.resolve("CURRENT"), "nonsense");
    assertRejected(() -> open(store), store.toString(), "CURRENT");
    assertRejected(() -> openToRead(store), store.toString(), "CURRENT");
  }

  @Test
  void aCorruptTableFileFailsEveryKindOfReadButYieldsNoWrongValue() throws IOException {
    create().close();
    corruptTable(1_000); // in its first block, which is data
    try (KeyValueStore corrupt = open(store)) {
      List<byte[]> all = new ArrayList<>();
      for (int i = 0; i < ROWS; i++) {
        all.add(row(i));
      }
      assertRejected(() -> countRows(corrupt), "Corruption");
      assertRejected(() -> corrupt.get(FAMILY, all, Columns.exactly(QUALIFIER)), "Corruption");
      assertRejected(() -> corrupt.get(FAMILY, all, Columns.all()), "Corruption");
      assertRejected(
          () -> all.forEach(row -> corrupt.get(FAMILY, row, Columns.exactly(QUALIFIER))),
          "Corruption");
    }
  }

  /** Those of the corrupt block, and no others: each is looked for, also after a failure. */
  @Test
  void aBatchThatFailsTellsWhichRowsCannotBeRead() throws IOException {
    byte[] value = new byte[100];
    Random random = new Random(1);
    List<RowMutation> puts = new ArrayList<>();
    try (KeyValueStore created = create()) {
      for (int i = 0; i < ROWS; i++) {
        random.nextBytes(value); // so that there are several blocks
        created.put(FAMILY, row(i), QUALIFIER, value);
        puts.add(new RowMutation(row(i), new Change.PutIfNewer(QUALIFIER, row(i), 0)));
      }
    }
    corruptTable(100_000);
    try (KeyValueStore corrupt = open(store)) {
      List<Outcome> unread = new ArrayList<>();
      for (RowMutation put : puts) {
        try {
          corrupt.get(FAMILY, put.row(), Columns.all());
          unread.add(Outcome.NOT_APPLIED);
        } catch (StoreException e) {
          unread.add(e.outcome());
        }
      }
      assertThat(unread).contains(Outcome.REJECTED);
      assertThatThrownBy(() -> corrupt.mutate(FAMILY, puts))
          .isInstanceOfSatisfying(
              BatchException.class, e -> assertThat(e.outcomes()).isEqualTo(unread))
          .hasMessageContaining("Corruption");
    }
  }

  @Test
  void aCellNoStoreWroteIsRefusedByItsPlace() throws RocksDBException {
    create().close();
    byte[] key = FlatKeys.cell(row(5), new byte[] {9, 10});
    StoreDirectory.intrude(
        store,
        List.of("tsdb:t"),
        (db, handles) -> db.put(handles.get(1), key, new byte[] {(byte) 0x8F}));
    String[] place = {store.toString(), "tsdb:t", "row 0000000000000005", "qualifier 090a"};
    try (KeyValueStore odd = open(store)) {
      assertRejected(() -> odd.get(FAMILY, row(5), Columns.all()), place);
      assertRejected(() -> odd.get(FAMILY, row(5), Columns.exactly(new byte[] {9, 10})), place);
      try (RowCursor cursor = odd.scan(FAMILY, Scan.range(row(4), null))) {
        assertThat(cursor.next()).isNotNull();
        assertRejected(cursor::next, place);
        assertRejected(cursor::next, place);
      }
      assertThat(odd.get(FAMILY, row(4), Columns.all()).size()).isEqualTo(1);
    }
  }

  @Test
  void aKeyNoStoreWroteIsRefusedByItsBytes() throws RocksDBException {
    create().close();
    StoreDirectory.intrude(
        store,
        List.of("tsdb:t"),
        (db, handles) -> db.put(handles.get(1), new byte[] {0, 1, 2}, new byte[] {0}));
    try (KeyValueStore odd = open(store)) {
      assertRejected(() -> countRows(odd), "tsdb:t", "000102");
    }
  }

  @Test
  void aDatabaseOfSomethingElseIsRefused() throws RocksDBException {
    byte[] any = "any".getBytes(UTF_8);
    StoreDirectory.intrude(store, List.of(), (db, handles) -> db.put(any, any));
    assertRejected(() -> open(store), store.toString(), "something else");

    Path other = directory.resolve("other");
    StoreDirectory.intrude(other, List.of("people"), (db, handles) -> {});
    assertRejected(() -> open(other), other.toString(), "something else", "people");

    Path third = directory.resolve("third");
    StoreDirectory.intrude(third, List.of("a:b"), (db, handles) -> {});
    assertRejected(() -> open(third), third.toString(), "record hourstone.format is missing");
  }

  @Test
  void aDatabaseThatWasNeverUsedIsAsGoodAsNew() throws RocksDBException {
    StoreDirectory.intrude(store, List.of(), (db, handles) -> {});
    create().close();
    try (KeyValueStore again = open(store)) {
      assertThat(countRows(again)).isEqualTo(ROWS);
    }
  }

  @Test
  void aStoreOfAnotherFormatIsRefusedWithBothVersions() throws RocksDBException {
    create().close();
    intrudeOnRecords("hourstone.format", "2");
    assertRejected(() -> open(store), store.toString(), "format is 2", "knows 1");
  }

  @Test
  void aStoreWithoutItsRecordsIsRefusedNamingThem() throws RocksDBException {
    create().close();
    for (String record : List.of("hourstone.epoch", "hourstone.clock")) {
      intrudeOnRecords(record, "soon");
      assertRejected(() -> open(store), store.toString(), record, "not a number");
      StoreDirectory.intrude(
          store, List.of("tsdb:t"), (db, handles) -> db.delete(record.getBytes(UTF_8)));
      assertRejected(() -> open(store), store.toString(), record, "missing");
      intrudeOnRecords(record, "1795000000000");
    }
    open(store).close();
  }

  private void intrudeOnRecords(String record, String value) throws RocksDBException {
    StoreDirectory.intrude(
        store,
        List.of("tsdb:t"),
        (db, handles) -> db.put(record.getBytes(UTF_8), value.getBytes(UTF_8)));
  }

  /** A copy of a store made while it was open. */
  private Path killed() throws IOException {
    try (KeyValueStore open = create()) {
      assertThat(countRows(open)).isEqualTo(ROWS);
      return StoreDirectory.copy(store, directory.resolve("left"));
    }
  }

  private KeyValueStore create() {
    KeyValueStore created = open(store);
    created.ensure(List.of(new FamilySpec(FAMILY, false)), SchemaMode.CREATE);
    for (int i = 0; i < ROWS; i++) {
      created.put(FAMILY, row(i), QUALIFIER, row(i * 31));
    }
    return created;
  }

  private void corruptTable(int offset) throws IOException {
    Path largest =
        StoreDirectory.files(store, "*.sst").stream()
            .max(Comparator.comparingLong(file -> file.toFile().length()))
            .orElseThrow();
    StoreDirectory.corrupt(largest, offset);
  }

  private static KeyValueStore openToRead(Path directory) {
    return KeyValueStores.open("rocksdb:" + directory + "?readonly=true");
  }

  private static KeyValueStore open(Path directory) {
    return RocksDbStore.open(directory, RocksDbOptions.defaults());
  }

  private static int countRows(KeyValueStore store) {
    int rows = 0;
    try (RowCursor cursor = store.scan(FAMILY, Scan.all())) {
      while (cursor.next() != null) {
        rows++;
      }
    }
    return rows;
  }

  private static byte[] row(int number) {
    return ByteBuffer.allocate(8).putLong(number).array();
  }

  private static void assertRejected(ThrowingCallable call, String... mentions) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.outcome()).isEqualTo(Outcome.REJECTED))
        .hasMessageContainingAll(mentions)
        .hasMessageNotContaining("\n");
  }
}
