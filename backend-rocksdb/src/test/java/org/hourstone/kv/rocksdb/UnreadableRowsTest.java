package org.hourstone.kv.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.TreeSet;
import org.hourstone.kv.Columns;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.Scan;
import org.hourstone.kv.SkippingStore;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.UnreadableRowsException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Scans continue behind corrupt blocks, and say which rows they skip. */
class UnreadableRowsTest extends RocksDbCase {
  private static final int ROWS = 10_000;
  private static final int VALUE = 200; // 30 blocks

  @ParameterizedTest
  @ValueSource(doubles = {0, 0.2, 0.5, 0.77, 0.95})
  void exactlyTheRowsOfACorruptBlockAreLost(double place) throws IOException {
    Path store = filled();
    corrupt(store, place);
    assertExactlyLost(store, 1);
  }

  @Test
  void theRowsBetweenTwoCorruptBlocksAreRead() throws IOException {
    Path store = filled();
    corrupt(store, 0.2);
    corrupt(store, 0.7);
    assertExactlyLost(store, 2);
  }

  @Test
  void aScanOfRowsThatCanBeReadIsNotAffected() throws IOException {
    Path store = filled();
    corrupt(store, 0.5);
    try (KeyValueStore opened = open(store)) {
      assertThat(read(opened, Scan.range(row(0), row(1000)))).hasSize(1000);
      assertThat(read(opened, Scan.range(row(9000), row(ROWS)))).hasSize(1000);
    }
  }

  @Test
  void aScanFailsAgainAndAgainIfItIsNotSkipped() throws IOException {
    Path store = filled();
    corrupt(store, 0.5);
    try (KeyValueStore opened = open(store);
        RowCursor rows = opened.scan(FAMILY, Scan.range(row(4000), null))) {
      assertThatThrownBy(
              () -> {
                while (rows.next() != null) {}
              })
          .isInstanceOf(UnreadableRowsException.class)
          .hasMessageContainingAll(store.toString(), "Corruption", "tsdb:t", "can't be read");
      assertThatThrownBy(rows::next).isInstanceOf(UnreadableRowsException.class);
    }
  }

  @Test
  void limitsAndStopsOfScansHoldBehindACorruptBlock() throws IOException {
    Path store = filled();
    corrupt(store, 0.5);
    List<UnreadableRowsException> lost = new ArrayList<>();
    try (KeyValueStore opened = new SkippingStore(open(store), lost::add)) {
      List<Integer> all = read(opened, Scan.all());
      assertThat(read(opened, Scan.all().limit(7000))).isEqualTo(all.subList(0, 7000));
      UnreadableRowsException gap = lost.get(0);
      byte[] next = Objects.requireNonNull(gap.next());
      int inGap = number(next) - 10;
      assertThat(read(opened, Scan.range(row(inGap - 5), row(inGap)))).isEmpty();
      assertThat(lost.get(lost.size() - 1).next()).isNull();
    }
  }

  private void assertExactlyLost(Path store, int blocks) {
    List<UnreadableRowsException> lost = new ArrayList<>();
    TreeSet<Integer> unreadable = new TreeSet<>();
    try (KeyValueStore opened = open(store)) {
      for (int i = 0; i < ROWS; i++) {
        try {
          opened.get(FAMILY, row(i), Columns.all());
        } catch (StoreException e) {
          unreadable.add(i);
        }
      }
      assertThat(unreadable).hasSizeBetween(100 * blocks, 1000 * blocks);
    }
    try (KeyValueStore opened = new SkippingStore(open(store), lost::add)) {
      List<Integer> read = read(opened, Scan.all());
      assertThat(read).hasSize(ROWS - unreadable.size()).doesNotContainAnyElementsOf(unreadable);
    }
    assertThat(lost).hasSize(blocks);
    for (int i = 0; i < ROWS; i++) {
      byte[] row = row(i);
      boolean named =
          lost.stream()
              .anyMatch(
                  e ->
                      Arrays.compareUnsigned(row, e.from()) >= 0
                          && (e.next() == null || Arrays.compareUnsigned(row, e.next()) < 0));
      assertThat(named).as("row %s", i).isEqualTo(unreadable.contains(i));
    }
  }

  private static List<Integer> read(KeyValueStore store, Scan scan) {
    List<Integer> read = new ArrayList<>();
    try (RowCursor rows = store.scan(FAMILY, scan)) {
      for (Row row = rows.next(); row != null; row = rows.next()) {
        assertThat(row.size()).isEqualTo(1);
        read.add(number(row.key()));
      }
    }
    return read;
  }

  private static int number(byte[] row) {
    return (int) ByteBuffer.wrap(row).getLong();
  }

  private Path filled() {
    Path store = directory.resolve("store");
    Random random = new Random(SEED);
    byte[] value = new byte[VALUE];
    try (KeyValueStore created = open(store)) {
      create(created, FAMILY);
      for (int i = 0; i < ROWS; i++) {
        random.nextBytes(value);
        created.put(FAMILY, row(i), QUALIFIER, value);
      }
    }
    return store;
  }

  private static void corrupt(Path store, double place) throws IOException {
    Path largest =
        StoreDirectory.files(store, "*.sst").stream()
            .max(Comparator.comparingLong(file -> file.toFile().length()))
            .orElseThrow();
    StoreDirectory.corrupt(largest, (int) (ROWS * (VALUE + 20.0) * place) + 1000);
  }
}
