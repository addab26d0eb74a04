package org.hourstone.kv.rocksdb;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.hourstone.kv.BatchException;
import org.hourstone.kv.Change;
import org.hourstone.kv.CodedRow;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.FlatKeys;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.SchemaMode;
import org.hourstone.kv.StoreException.Outcome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDBException;

/** What is in the place of a row whose cells are coded together. */
class CodedTogetherTest {
  private static final Family FAMILY = new Family("tsdb", "t");
  private static final String CODED = "tsdb:t:mirrors-1:";

  @TempDir Path directory;

  private KeyValueStore open() {
    KeyValueStore store = RocksDbStore.open(directory, RocksDbOptions.defaults());
    store.ensure(List.of(new FamilySpec(FAMILY, true, new MirrorsCodec())), SchemaMode.CREATE);
    return store;
  }

  private static byte[] place(int row) {
    return FlatKeys.cell(new byte[] {(byte) row}, CodedKeys.ofRow());
  }

  private static RowMutation put(int row, int cell) {
    byte[] qualifier = {1, (byte) cell, 0};
    return new RowMutation(new byte[] {(byte) row}, new Change.Put(qualifier, new byte[1]));
  }

  /** With a multiple of 16 rows in a batch, counting rows would examine the same ones each time. */
  @Test
  void formsDoNotAccumulateInAnyRow() throws RocksDBException {
    try (KeyValueStore store = open()) {
      for (int hour = 0; hour < 250; hour++) {
        List<RowMutation> batch = new ArrayList<>();
        for (int row = 1; row <= 16; row++) {
          batch.add(put(row, hour));
        }
        store.mutate(FAMILY, batch);
      }
    }
    List<Integer> forms = new ArrayList<>();
    StoreDirectory.intrude(
        directory,
        List.of(CODED),
        (db, all) -> {
          for (int row = 1; row <= 16; row++) {
            byte[] stored = db.get(all.get(1), place(row));
            try {
              forms.add(StampedValue.forms(stored, stored.length, 0).size());
            } catch (StampedValue.Malformed e) {
              throw new IllegalStateException(e);
            }
          }
        });
    assertThat(forms).allSatisfy(each -> assertThat(each).isLessThan(200));
  }

  @Test
  void cellsOfARowAreReadAsStoredOnRequest() {
    byte[] key = {1};
    try (KeyValueStore store = open()) {
      store.mutate(FAMILY, List.of(put(1, 0)));
      store.mutate(FAMILY, List.of(put(1, 2)));

      assertThat(store.get(FAMILY, key, Columns.all()).codedRow()).isNull();
      Row row = store.get(FAMILY, key, Columns.allAsStored());
      CodedRow coded = requireNonNull(row.codedRow());
      assertThat(coded.codec()).isEqualTo("mirrors-1");
      assertThat(coded.forms()).hasSize(2);
      assertThat(row).hasToString(store.get(FAMILY, key, Columns.all()).toString());

      store.put(FAMILY, key, new byte[] {0}, new byte[1]);
      Row all = store.get(FAMILY, key, Columns.allAsStored());
      assertThat(all.codedRow()).isNull();
      assertThat(all.size()).isEqualTo(3);
      assertThat(all).hasToString(store.get(FAMILY, key, Columns.all()).toString());
    }
  }

  @Test
  void aBatchThatMeetsACorruptPlaceNamesItsRowEveryTime() throws RocksDBException {
    try (KeyValueStore store = open()) {
      store.mutate(FAMILY, List.of(put(2, 0)));
    }
    StoreDirectory.intrude(
        directory, List.of(CODED), (db, all) -> db.put(all.get(1), place(2), new byte[] {0, 0}));
    try (KeyValueStore store = open()) {
      int failed = 0;
      for (int i = 0; i < 512; i++) {
        // rows 1 and 3 can be written; cells are read for one of 16 rows only
        BatchException e = mutate(store, List.of(put(1, i), put(2, i), put(3, i)));
        if (e != null) {
          failed++;
          assertThat(e.outcomes())
              .containsExactly(Outcome.NOT_APPLIED, Outcome.REJECTED, Outcome.NOT_APPLIED);
        }
      }
      for (int i = 0; i < 512; i++) {
        BatchException e = mutate(store, List.of(put(1, i), put(2, i)));
        if (e != null) {
          failed++;
          assertThat(e.outcomes()).containsExactly(Outcome.NOT_APPLIED, Outcome.REJECTED);
        }
      }
      assertThat(failed).isPositive();
    }
  }

  private static BatchException mutate(KeyValueStore store, List<RowMutation> batch) {
    return catchThrowableOfType(BatchException.class, () -> store.mutate(FAMILY, batch));
  }
}
