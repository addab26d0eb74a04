package org.hourstone.kv.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Path;
import org.hourstone.kv.FlatKeys;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/** {@link BatchBuffer} makes the bytes RocksDB makes itself of the same changes. */
class BatchBufferTest {
  private static final byte[] ROW = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  private static final byte[] QUALIFIER = {7, 0};
  private static final byte[] KEY = FlatKeys.cell(ROW, QUALIFIER);

  @TempDir private static Path directory;
  private static RocksDB db;
  private static ColumnFamilyHandle family;

  @BeforeAll
  static void open() throws RocksDBException {
    NativeLibrary.load(directory, true, new RocksDbErrors(directory));
    try (Options options = new Options().setCreateIfMissing(true)) {
      db = RocksDB.open(options, directory.resolve("db").toString());
    }
    family = db.createColumnFamily(new ColumnFamilyDescriptor(new byte[] {'f'}));
  }

  @AfterAll
  static void close() {
    family.close();
    db.close();
  }

  @Test
  void changesOfAllKindsAreWrittenAsRocksDbWritesThem() throws RocksDBException {
    BatchBuffer buffer = buffer(BatchBuffer.MAX_BYTES);
    buffer.put(ROW, QUALIFIER, new byte[] {3}, 0x1F);
    buffer.append(ROW, QUALIFIER, new byte[] {4, 5}, 0x1F);
    buffer.delete(ROW, QUALIFIER);
    buffer.deleteRow(ROW);

    try (WriteBatch batch = new WriteBatch()) {
      batch.put(family, KEY, new byte[] {3, 0x01, 0x1F});
      batch.merge(family, KEY, new byte[] {4, 5, 0x1F, (byte) 0x92});
      batch.delete(family, KEY);
      batch.deleteRange(family, FlatKeys.bound(ROW), FlatKeys.afterRow(ROW));
      assertThat(buffer.toBytes()).isEqualTo(batch.data());
    }
  }

  @Test
  void manyAndLargeCellsAreWrittenAsRocksDbWritesThem() throws RocksDBException {
    BatchBuffer buffer = buffer(BatchBuffer.MAX_BYTES);
    try (WriteBatch batch = new WriteBatch()) {
      for (int size = 0; size < 70_000; size = size * 2 + 1) {
        byte[] row = new byte[size + 1];
        byte[] qualifier = new byte[size];
        byte[] value = new byte[size];
        buffer.put(row, qualifier, value, 0);
        byte[] stamped = new byte[size + 1];
        batch.put(family, FlatKeys.cell(row, qualifier), stamped);
      }
      assertThat(buffer.toBytes()).isEqualTo(batch.data());
    }
  }

  @Test
  void knowsWhetherThereIsAChange() {
    BatchBuffer buffer = buffer(BatchBuffer.MAX_BYTES);
    assertThat(buffer.isEmpty()).isTrue();
    buffer.delete(ROW, QUALIFIER);
    assertThat(buffer.isEmpty()).isFalse();
  }

  @Test
  void refusesWhatMakesItTooLarge() {
    BatchBuffer buffer = buffer(1000);
    buffer.put(ROW, QUALIFIER, new byte[900], 0);

    assertThatExceptionOfType(StoreException.class)
        .isThrownBy(() -> buffer.append(ROW, QUALIFIER, new byte[900], 0))
        .withMessageContaining("a batch of more than 1000 bytes")
        .satisfies(e -> assertThat(e.outcome()).isEqualTo(Outcome.REJECTED));
  }

  private static BatchBuffer buffer(int most) {
    return new BatchBuffer(family.getID(), 0, new byte[0], most, new RocksDbErrors(directory));
  }
}
