package org.hourstone.kv.rocksdb;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.hourstone.kv.BatchException;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Cell;
import org.hourstone.kv.CellCodec;
import org.hourstone.kv.Change;
import org.hourstone.kv.CodedCell;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.FlatKeys;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.kv.SchemaMode;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDBException;

/** Where coded cells are kept, and by whom they can be read. */
class CodingTest {
  private static final Family FAMILY = new Family("tsdb", "t");
  private static final String MIRRORED = "tsdb:t:mirror-1:";
  private static final byte[] ROW = {7};
  private static final byte[] QUALIFIER = {1, 2, 3, 4, 5, 6};
  private static final byte[] KEY = FlatKeys.cell(ROW, new byte[] {1, 2, (byte) 0xFF, (byte) 0xFF});
  private static final long SEED = 20261123;

  @TempDir Path directory;

  /** All qualifiers of up to six bytes, of bytes that matter. */
  private static List<byte[]> qualifiers() {
    List<byte[]> all = new ArrayList<>();
    all.add(new byte[0]);
    for (int i = 0; all.get(i).length < 6; i++) {
      for (int next : new int[] {0, 0xFE, 0xFF}) {
        byte[] longer = Arrays.copyOf(all.get(i), all.get(i).length + 1);
        longer[longer.length - 1] = (byte) next;
        all.add(longer);
      }
    }
    return all;
  }

  @Test
  void keysOfCellsThatAreKeptDirectlyAreInOrderAndNotThoseOfPlaces() {
    TreeMap<Bytes, byte[]> byKey = new TreeMap<>();
    for (byte[] qualifier : qualifiers()) {
      byte[] key = CodedKeys.direct(qualifier);
      assertThat(byKey.put(new Bytes(key), qualifier)).isNull();
      assertThat(CodedKeys.isPlace(key, 0, key.length)).isFalse();
      assertThat(CodedKeys.qualifier(key, 0, key.length)).isEqualTo(qualifier);
      if (qualifier.length >= 2) {
        assertThat(CodedKeys.isPlace(CodedKeys.place(qualifier), 0, 4)).isTrue();
      }
    }
    assertThat(List.copyOf(byKey.values())).isSortedAccordingTo(Arrays::compareUnsigned);
  }

  @Test
  void boundsOfARangeEncloseItsCellsWhereverTheyAreKept() {
    List<byte[]> all = qualifiers();
    Random random = new Random(SEED);
    for (int i = 0; i < 300_000; i++) {
      byte[] bound = all.get(random.nextInt(all.size()));
      byte[] qualifier = all.get(random.nextInt(all.size()));
      List<byte[]> keys = new ArrayList<>(List.of(CodedKeys.direct(qualifier)));
      if (qualifier.length == 6) {
        keys.add(CodedKeys.place(qualifier));
      }
      boolean after = Arrays.compareUnsigned(qualifier, bound) >= 0;
      Columns columns =
          after ? new Columns.Range(bound, null) : new Columns.Range(new byte[0], bound);
      for (byte[] key : keys) {
        assertThat(
                after
                    ? Arrays.compareUnsigned(CodedKeys.lower(bound), key) <= 0
                    : Arrays.compareUnsigned(key, CodedKeys.upper(bound)) < 0)
            .as("seed %d: %s and %s", SEED, new Bytes(bound), new Bytes(qualifier))
            .isTrue();
        if (key.length == 4) {
          assertThat(CodedKeys.mayInclude(columns, key, 0)).isTrue();
        }
      }
    }
  }

  @Test
  void columnsOfOtherPlacesAreKnownByTheKey() {
    byte[] place = CodedKeys.place(QUALIFIER);
    Columns before = new Columns.Range(new byte[0], new byte[] {1, 2});
    Columns after = new Columns.Range(new byte[] {1, 3}, null);
    Columns others = Columns.exactly(new byte[] {1, 2}, new byte[] {1, 3, 3, 4, 5, 6});
    for (Columns columns : List.of(before, after, others)) {
      assertThat(CodedKeys.mayInclude(columns, place, 0)).isFalse();
    }
    assertThat(CodedKeys.mayInclude(Columns.exactly(QUALIFIER), place, 0)).isTrue();
  }

  @Test
  void aCodedCellIsInItsPlaceUnderAShortKey() throws RocksDBException {
    write(RocksDbOptions.defaults(), new MirrorCodec());
    List<byte[]> stored = new ArrayList<>();
    StoreDirectory.intrude(
        directory, List.of(MIRRORED), (db, all) -> stored.add(db.get(all.get(1), KEY)));
    byte[] coded = new MirrorCodec().encode(QUALIFIER, ROW);
    assertThat(stored.get(0)).startsWith(coded);
  }

  /** As compaction does with a cell that has got more points. */
  @Test
  void aCellThatReplacesTheOneInItsPlaceIsCoded() throws RocksDBException {
    byte[] longer = Arrays.copyOf(QUALIFIER, 8);
    write(RocksDbOptions.defaults(), new MirrorCodec());
    try (KeyValueStore store = RocksDbStore.open(directory, RocksDbOptions.defaults())) {
      Row seen = store.get(FAMILY, ROW, Columns.all());
      assertThat(store.replaceCells(FAMILY, seen, List.of(new Cell(longer, ROW)))).isTrue();
    }
    List<byte[]> stored = new ArrayList<>();
    StoreDirectory.intrude(
        directory, List.of(MIRRORED), (db, all) -> stored.add(db.get(all.get(1), KEY)));
    assertThat(stored.get(0)).startsWith(new MirrorCodec().encode(longer, ROW));
  }

  @Test
  void whoDoesNotEnsureTheFamilyFindsTheCodec() {
    write(RocksDbOptions.defaults(), new MirrorCodec());
    RocksDbOptions readOnly = RocksDbOptions.defaults().readOnly(true);
    for (RocksDbOptions options : List.of(RocksDbOptions.defaults(), readOnly)) {
      try (KeyValueStore store = RocksDbStore.open(directory, options)) {
        assertThat(store.families()).containsExactly(FAMILY);
        assertThat(store.get(FAMILY, ROW, Columns.all()).find(QUALIFIER)).isEqualTo(ROW);
      }
    }
  }

  @Test
  void aCellOfAnUnknownCodecIsRefusedWithItsName() {
    CellCodec mirror = new MirrorCodec();
    write(RocksDbOptions.defaults(), new Renamed("mirror-2"));
    byte[] single = {1};
    for (CellCodec codec : Arrays.asList(null, mirror)) {
      try (KeyValueStore store = RocksDbStore.open(directory, RocksDbOptions.defaults())) {
        store.ensure(List.of(new FamilySpec(FAMILY, true, codec)), SchemaMode.VERIFY);
        store.put(FAMILY, new byte[] {8}, single, single);
        assertThat(store.get(FAMILY, new byte[] {8}, Columns.all()).size()).isEqualTo(1);
        for (Runnable use :
            List.<Runnable>of(
                () -> store.get(FAMILY, ROW, Columns.all()),
                () -> store.get(FAMILY, ROW, Columns.exactly(QUALIFIER)),
                () -> store.put(FAMILY, ROW, QUALIFIER, ROW))) {
          assertThatThrownBy(use::run)
              .isInstanceOf(StoreException.class)
              .hasMessageContainingAll(directory.toString(), "tsdb:t", "coded with mirror-2");
        }
      }
    }
  }

  @Test
  void aFamilyStaysAsItWasCreated() throws RocksDBException {
    write(RocksDbOptions.defaults().coded(false), new MirrorCodec());
    write(RocksDbOptions.defaults(), new MirrorCodec());
    byte[] key = FlatKeys.cell(ROW, QUALIFIER);
    List<byte[]> stored = new ArrayList<>();
    StoreDirectory.intrude(
        directory, List.of("tsdb:t"), (db, all) -> stored.add(db.get(all.get(1), key)));
    assertThat(stored.get(0)).startsWith(ROW);
  }

  @Test
  void aPlaceWithoutAWriteTimeIsMalformed() throws RocksDBException {
    for (byte[] wrong : List.of(new byte[0], stamped(ROW, 0x81))) {
      write(RocksDbOptions.defaults(), new MirrorCodec());
      putIntoPlace(wrong);
      try (KeyValueStore store = RocksDbStore.open(directory, RocksDbOptions.defaults())) {
        for (Columns columns : List.of(Columns.all(), Columns.allAsStored())) {
          assertThatThrownBy(() -> store.get(FAMILY, ROW, columns))
              .isInstanceOf(StoreException.class)
              .hasMessageContainingAll(
                  directory.toString(), "malformed cell in tsdb:t, row 07, qualifier 0102ffff");
        }
        store.mutate(FAMILY, List.of(new RowMutation(ROW, new Change.DeleteRow())));
        assertThat(store.get(FAMILY, ROW, Columns.all()).isEmpty()).isTrue();
      }
    }
  }

  @Test
  void aPlaceThatHoldsNoCellOfItsOwnIsReadAsAnotherCellThatCanBeRemoved() throws RocksDBException {
    byte[] another = new MirrorCodec().encode(new byte[6], ROW);
    byte[] shown = Arrays.copyOf(Arrays.copyOf(QUALIFIER, 2), MirrorCodec.UNDECODABLE);
    for (byte[] form : List.of(new byte[0], ROW, another)) {
      for (Change removal : List.of(new Change.Delete(shown), new Change.DeleteRow())) {
        write(RocksDbOptions.defaults(), new MirrorCodec());
        putIntoPlace(stamped(form, 0));
        try (KeyValueStore store = RocksDbStore.open(directory, RocksDbOptions.defaults())) {
          store.put(FAMILY, ROW, new byte[] {9}, ROW);
          store.put(FAMILY, new byte[] {8}, QUALIFIER, ROW);
          Row row = store.get(FAMILY, ROW, Columns.all());
          assertThat(row.size()).isEqualTo(2);
          assertThat(row.find(shown)).isEmpty();
          assertThat(row.find(new byte[] {9})).isEqualTo(ROW);
          assertThat(store.get(FAMILY, ROW, Columns.exactly(shown)).size()).isEqualTo(1);
          try (RowCursor rows = store.scan(FAMILY, Scan.all())) {
            assertThat(requireNonNull(rows.next())).hasToString(row.toString());
            assertThat(requireNonNull(rows.next()).key()).containsExactly(8);
          }

          store.put(FAMILY, ROW, QUALIFIER, ROW); // of the same place
          assertThat(store.get(FAMILY, ROW, Columns.all()).size()).isEqualTo(3);
          assertThat(store.replaceCells(FAMILY, row, List.of())).isTrue();
          assertThat(store.get(FAMILY, ROW, Columns.all()).find(QUALIFIER)).isEqualTo(ROW);
        }
        putIntoPlace(stamped(form, 0));
        try (KeyValueStore store = RocksDbStore.open(directory, RocksDbOptions.defaults())) {
          assertThat(store.get(FAMILY, ROW, Columns.all()).find(shown)).isEmpty();
          store.mutate(FAMILY, List.of(new RowMutation(ROW, removal)));
          assertThat(store.get(FAMILY, ROW, Columns.all()).find(shown)).isNull();
          store.mutate(FAMILY, List.of(new RowMutation(ROW, new Change.DeleteRow())));
        }
      }
    }
  }

  private void putIntoPlace(byte[] stored) throws RocksDBException {
    StoreDirectory.intrude(
        directory, List.of(MIRRORED), (db, all) -> db.put(all.get(1), KEY, stored));
  }

  @Test
  void aRowsOnlyCellIsReadAsStoredOnRequest() {
    write(RocksDbOptions.defaults(), new MirrorCodec());
    try (KeyValueStore store = RocksDbStore.open(directory, RocksDbOptions.defaults())) {
      assertThat(store.get(FAMILY, ROW, Columns.all()).coded()).isNull();
      Row row = store.get(FAMILY, ROW, Columns.allAsStored());
      CodedCell cell = requireNonNull(row.coded());
      assertThat(cell.codec()).isEqualTo("mirror-1");
      assertThat(cell.bytes()).isEqualTo(new MirrorCodec().encode(QUALIFIER, ROW));
      assertThat(row.qualifier(0)).isEqualTo(QUALIFIER);
      assertThat(row.value(0)).isEqualTo(ROW);

      store.put(FAMILY, ROW, new byte[] {9}, ROW);
      Row both = store.get(FAMILY, ROW, Columns.allAsStored());
      assertThat(both.coded()).isNull();
      assertThat(both).hasToString(store.get(FAMILY, ROW, Columns.all()).toString());
      assertThat(both.size()).isEqualTo(2);
    }
  }

  @Test
  void aBatchThatMeetsACorruptCellNamesItsRowAndChangesNone() throws RocksDBException {
    write(RocksDbOptions.defaults(), new MirrorCodec());
    putIntoPlace(stamped(ROW, 0x81));
    List<byte[]> rows = List.of(new byte[] {8}, ROW, new byte[] {6});
    List<RowMutation> batch =
        rows.stream().map(row -> new RowMutation(row, new Change.Put(QUALIFIER, row))).toList();
    try (KeyValueStore store = RocksDbStore.open(directory, RocksDbOptions.defaults())) {
      Outcome no = Outcome.NOT_APPLIED;
      assertThatThrownBy(() -> store.mutate(FAMILY, batch))
          .isInstanceOfSatisfying(
              BatchException.class,
              e -> assertThat(e.outcomes()).containsExactly(no, Outcome.REJECTED, no))
          .hasMessageContaining("malformed cell in tsdb:t, row 07");
      assertThat(store.get(FAMILY, rows.get(0), Columns.all()).isEmpty()).isTrue();
      assertThat(store.get(FAMILY, rows.get(2), Columns.all()).isEmpty()).isTrue();
    }
  }

  private void write(RocksDbOptions options, CellCodec codec) {
    try (KeyValueStore store = RocksDbStore.open(directory, options)) {
      store.ensure(List.of(new FamilySpec(FAMILY, true, codec)), SchemaMode.CREATE);
      store.put(FAMILY, ROW, QUALIFIER, ROW);
    }
  }

  private static byte[] stamped(byte[] payload, int tag) {
    byte[] stored = Arrays.copyOf(payload, payload.length + 1);
    stored[payload.length] = (byte) tag;
    return stored;
  }

  /** A codec that is not on the class path. */
  private record Renamed(String name) implements CellCodec {
    private static final CellCodec MIRROR = new MirrorCodec();

    @Override
    public boolean codes(byte[] qualifier) {
      return MIRROR.codes(qualifier);
    }

    @Override
    public byte[] encode(byte[] qualifier, byte[] value) {
      return MIRROR.encode(qualifier, value);
    }

    @Override
    public Decoded decode(byte[] bytes, int from, int to) {
      return MIRROR.decode(bytes, from, to);
    }

    @Override
    public Decoded undecodable(byte[] start) {
      return MIRROR.undecodable(start);
    }
  }
}
