package org.hourstone.bench;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.hourstone.bench.RawBatches.Records;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Change;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.rocksdb.RawRocksDb;
import org.rocksdb.RocksDBException;

/**
 * The same points with one compacted cell per row, as a writer would leave them that holds a row
 * until its hour is over; compaction gets there afterwards.
 */
final class SealedRows {
  private static final int ROWS_PER_BATCH = 1000;

  /** The last byte of a compacted value: its points are in one unit of time. */
  private static final int ONE_UNIT = 0;

  private SealedRows() {}

  /** The records for the points of these batches, which a store has written before. */
  static List<Records> of(List<List<RowMutation>> written, RawRocksDb raw) throws RocksDBException {
    Map<Bytes, NavigableMap<Bytes, byte[]>> rows = new TreeMap<>();
    for (List<RowMutation> batch : written) {
      for (RowMutation row : batch) {
        NavigableMap<Bytes, byte[]> cells =
            rows.computeIfAbsent(new Bytes(row.row()), key -> new TreeMap<>());
        for (Change change : row.changes()) {
          if (change instanceof Change.Put put) {
            cells.put(new Bytes(put.qualifier()), put.value());
          }
        }
      }
    }
    List<Records> batches = new ArrayList<>();
    List<byte[]> keys = new ArrayList<>();
    List<byte[]> values = new ArrayList<>();
    for (Map.Entry<Bytes, NavigableMap<Bytes, byte[]>> row : rows.entrySet()) {
      add(row.getKey().array(), row.getValue(), raw, keys, values);
      if (keys.size() == ROWS_PER_BATCH) {
        batches.add(records(keys, values));
      }
    }
    if (!keys.isEmpty()) {
      batches.add(records(keys, values));
    }
    return batches;
  }

  private static void add(
      byte[] row,
      NavigableMap<Bytes, byte[]> cells,
      RawRocksDb raw,
      List<byte[]> keys,
      List<byte[]> values)
      throws RocksDBException {
    ByteArrayOutputStream qualifier = new ByteArrayOutputStream();
    ByteArrayOutputStream value = new ByteArrayOutputStream();
    cells.forEach(
        (of, point) -> {
          qualifier.writeBytes(of.array());
          value.writeBytes(point);
        });
    value.write(ONE_UNIT);
    Map.Entry<Bytes, byte[]> last = cells.lastEntry();
    byte[] stored = raw.get(RawRocksDb.key(row, last.getKey().array()));
    int stamp = last.getValue().length;
    value.write(stored, stamp, stored.length - stamp);
    keys.add(RawRocksDb.key(row, qualifier.toByteArray()));
    values.add(value.toByteArray());
  }

  private static Records records(List<byte[]> keys, List<byte[]> values) {
    Records records = new Records(keys.toArray(byte[][]::new), values.toArray(byte[][]::new));
    keys.clear();
    values.clear();
    return records;
  }
}
