package org.hourstone.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.hourstone.kv.Change;
import org.hourstone.kv.Family;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.rocksdb.RawRocksDb;
import org.rocksdb.RocksDBException;

/**
 * The stored form of the batches a store was given: the same cells in the same batches as RocksDB's
 * records, and as the bytes of whole write batches; and the points as {@link SealedRows}.
 */
record RawBatches(List<Records> batches, List<byte[]> prepared, List<Records> sealedRows) {
  /** The records of one batch. */
  record Records(byte[][] keys, byte[][] values) {}

  /** Reads the stored form of the batches from the files of a store. */
  static RawBatches of(List<List<RowMutation>> written, Path directory, Family family)
      throws RocksDBException {
    List<Records> batches = new ArrayList<>();
    List<byte[]> prepared = new ArrayList<>();
    try (RawRocksDb raw = RawRocksDb.open(directory, family)) {
      for (List<RowMutation> batch : written) {
        Records records = records(batch, raw);
        batches.add(records);
        prepared.add(raw.prepare(records.keys(), records.values()));
      }
      return new RawBatches(batches, prepared, SealedRows.of(written, raw));
    }
  }

  private static Records records(List<RowMutation> batch, RawRocksDb raw) throws RocksDBException {
    List<byte[]> keys = new ArrayList<>();
    List<byte[]> values = new ArrayList<>();
    for (RowMutation mutation : batch) {
      for (Change change : mutation.changes()) {
        byte[] key = RawRocksDb.key(mutation.row(), change.qualifier());
        keys.add(key);
        values.add(raw.get(key));
      }
    }
    return new Records(keys.toArray(byte[][]::new), values.toArray(byte[][]::new));
  }

  long records() {
    return batches.stream().mapToLong(batch -> batch.keys().length).sum();
  }
}
