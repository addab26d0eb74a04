package org.hourstone.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.kv.Change;
import org.hourstone.kv.FlatKeys;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.KeyValueStores;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;

/** A memory store; without it, a sorted map of cells for writing, and the store's own scan. */
final class MemoryPlace implements Place {
  private static final AtomicInteger COUNT = new AtomicInteger();

  private final String uri = "memory:bench" + COUNT.getAndIncrement();
  private final KeyValueStore kept = KeyValueStores.open(uri); // data ends with its last store

  @Override
  public Tsdb open(TsdbOptions options) {
    return Tsdb.open(uri, options);
  }

  @Override
  public KeyValueStore store() {
    return KeyValueStores.open(uri);
  }

  @Override
  public List<Way> ways() {
    return List.of(Way.PUTS);
  }

  @Override
  public Writing writing(List<List<RowMutation>> batches, Way way) {
    ConcurrentSkipListMap<byte[], byte[]> cells =
        new ConcurrentSkipListMap<>(Arrays::compareUnsigned);
    List<byte[]> keys = new ArrayList<>();
    List<byte[]> values = new ArrayList<>();
    batches.forEach(
        batch ->
            batch.forEach(
                row -> {
                  for (Change change : row.changes()) {
                    keys.add(FlatKeys.cell(row.row(), change.qualifier()));
                    values.add(((Change.Put) change).value());
                  }
                }));
    return () -> {
      for (int i = 0; i < keys.size(); i++) {
        cells.put(keys.get(i), values.get(i));
      }
      if (cells.isEmpty()) {
        throw new IllegalStateException("no cells");
      }
    };
  }

  @Override
  public RawScan rawScan() {
    return (start, stop) -> {
      long records = 0;
      try (RowCursor rows = kept.scan(POINTS, Scan.range(start, stop))) {
        for (Row row = rows.next(); row != null; row = rows.next()) {
          records += row.size();
        }
      }
      return records;
    };
  }

  @Override
  public void close() {
    kept.close();
  }
}
