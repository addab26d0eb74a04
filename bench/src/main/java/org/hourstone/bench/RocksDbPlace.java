package org.hourstone.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.bench.RawRocksDb.Records;
import org.hourstone.kv.Change;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.FlatKeys;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.KeyValueStores;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.SchemaMode;

/** A store on RocksDB, and RocksDB's own calls on the same files. */
final class RocksDbPlace implements Place {
  private final WorkDirectory directory;
  private final String uri;

  /**
   * @param uriParameters such as {@code ?coded=false}; may be empty
   */
  RocksDbPlace(WorkDirectory directory, String uriParameters) {
    this.directory = directory;
    this.uri = "rocksdb:" + path() + uriParameters;
  }

  private Path path() {
    return directory.path().resolve("data");
  }

  @Override
  public Tsdb open(TsdbOptions options) {
    return Tsdb.open(uri, options);
  }

  @Override
  public KeyValueStore store() {
    return KeyValueStores.open(uri);
  }

  @Override
  public List<List<RowMutation>> stored(List<List<RowMutation>> batches) throws Exception {
    List<List<RowMutation>> stored = new ArrayList<>();
    try (RawRocksDb raw = RawRocksDb.open(path(), true)) {
      for (List<RowMutation> batch : batches) {
        List<RowMutation> rows = new ArrayList<>();
        for (RowMutation row : batch) {
          List<Change> puts = new ArrayList<>();
          for (Change change : row.changes()) {
            byte[] value = raw.get(FlatKeys.cell(row.row(), change.qualifier()));
            puts.add(new Change.Put(change.qualifier(), value));
          }
          rows.add(new RowMutation(row.row(), puts));
        }
        stored.add(rows);
      }
    }
    return stored;
  }

  @Override
  public Writing writing(List<List<RowMutation>> batches, boolean whole) throws Exception {
    try (KeyValueStore empty = KeyValueStores.open("rocksdb:" + path())) {
      empty.ensure(List.of(new FamilySpec(POINTS, false)), SchemaMode.CREATE);
    }
    RawRocksDb raw = RawRocksDb.open(path(), false);
    List<Records> records = batches.stream().map(Records::of).toList();
    List<byte[]> prepared = new ArrayList<>();
    for (Records batch : whole ? records : List.<Records>of()) {
      prepared.add(raw.prepare(batch));
    }
    return new Writing() {
      @Override
      public void run() throws Exception {
        if (whole) {
          for (byte[] batch : prepared) {
            raw.write(batch);
          }
        } else {
          for (Records batch : records) {
            raw.write(batch);
          }
        }
      }

      @Override
      public void close() throws IOException {
        raw.close();
      }
    };
  }

  @Override
  public long records() throws Exception {
    try (RawRocksDb raw = RawRocksDb.open(path(), true)) {
      return raw.records();
    }
  }

  @Override
  public void settle() throws Exception {
    try (RawRocksDb raw = RawRocksDb.open(path(), false)) {
      raw.compact();
    }
  }

  @Override
  public long bytes() throws Exception {
    try (RawRocksDb raw = RawRocksDb.open(path(), true)) {
      return raw.tableBytes();
    }
  }

  @Override
  public void close() {
    directory.close();
  }
}
