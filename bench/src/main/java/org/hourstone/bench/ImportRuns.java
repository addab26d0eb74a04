package org.hourstone.bench;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.bench.Meter.Cost;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.KeyValueStores;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.SchemaMode;
import org.hourstone.kv.rocksdb.RawRocksDb;
import org.hourstone.kv.rocksdb.RocksDbOptions;
import org.hourstone.kv.rocksdb.RocksDbStore;
import org.hourstone.write.LineResolution;
import org.hourstone.write.Receipt;
import org.hourstone.write.SeriesWriter;
import org.rocksdb.RocksDBException;

/** The routes for the points of one import file, from reading its lines to raw RocksDB. */
final class ImportRuns {
  private final Path file;
  private final WorkDirectory work;
  private final TsdbOptions options;
  private final Family family;
  private final Points points;
  private final List<List<RowMutation>> batches;
  private final RawBatches raw;

  /**
   * The result of one run.
   *
   * @param write until every point was acknowledged
   * @param finish closing the store and compacting it
   * @param records cells in the table files at the end
   * @param flushedBytes of table files after closing
   * @param compactedBytes of table files after a full compaction
   */
  record Outcome(Cost write, Cost finish, long records, long flushedBytes, long compactedBytes) {
    static Outcome of(Cost write) {
      return new Outcome(write, Cost.NONE, 0, 0, 0);
    }
  }

  /** Reads the file and writes it once, to get its batches. */
  ImportRuns(Path file, WorkDirectory work, TsdbOptions options)
      throws IOException, RocksDBException {
    this.file = file;
    this.work = work;
    this.options = options;
    this.family = options.tables().points();
    this.points = Points.read(file);
    try (WorkDirectory directory = work.inner("recorded")) {
      try (KeyValueStore store = open(directory.path());
          RecordedBatches recorded = new RecordedBatches(store, family);
          Tsdb db = Tsdb.over(recorded, options)) {
        importLines(db);
        this.batches = recorded.batches();
      }
      this.raw = RawBatches.of(batches, directory.path(), family);
    }
  }

  int points() {
    return points.size();
  }

  int series() {
    return points.series().size();
  }

  long records() {
    return raw.records();
  }

  int batches() {
    return batches.size();
  }

  /** Reads the lines. */
  Outcome readLines() {
    return Outcome.of(
        Meter.measure(
            () -> {
              try (InputStream in = Files.newInputStream(file)) {
                check(LineResolution.read(in));
              }
            }));
  }

  /** Reads the lines and makes points of known series of them. */
  Outcome resolveLines() {
    try (Tsdb db = Tsdb.open("memory:", options)) {
      return Outcome.of(
          Meter.measure(
              () -> {
                try (InputStream in = Files.newInputStream(file)) {
                  check(LineResolution.resolve(db.writer(), in));
                }
              }));
    }
  }

  /** Imports the file into a store that drops its cells. */
  Outcome importAndDiscard() {
    try (KeyValueStore names = KeyValueStores.open("memory:");
        Tsdb db = Tsdb.over(new DiscardingStore(names, family), options)) {
      return Outcome.of(Meter.measure(() -> importLines(db)));
    }
  }

  /** Imports the file into a store on the heap. */
  Outcome importToMemory() {
    try (Tsdb db = Tsdb.open("memory:", options)) {
      return Outcome.of(Meter.measure(() -> importLines(db)));
    }
  }

  /** Imports the file into a store on RocksDB: the way of the command line. */
  Outcome importToRocksDb() throws IOException {
    try (WorkDirectory directory = work.inner("import")) {
      Tsdb db = Tsdb.open("rocksdb:" + directory.path(), options);
      Cost write = Meter.measure(() -> importLines(db));
      return finished(directory, write, Meter.measure(db::close));
    }
  }

  /** Writes the points through handles of their series: the way of a Java program. */
  Outcome handlesToRocksDb() throws IOException {
    try (WorkDirectory directory = work.inner("handles")) {
      Tsdb db = Tsdb.open("rocksdb:" + directory.path(), options);
      Cost write = Meter.measure(() -> putThroughHandles(db));
      return finished(directory, write, Meter.measure(db::close));
    }
  }

  /** Hands the store alone the batches it had got from the pipeline. */
  Outcome batchesToStore() throws IOException {
    try (WorkDirectory directory = work.inner("store")) {
      KeyValueStore store = open(directory.path());
      store.ensure(options.tables().families(), SchemaMode.CREATE);
      Cost write = Meter.measure(() -> batches.forEach(batch -> store.mutate(family, batch)));
      return finished(directory, write, Meter.measure(store::close));
    }
  }

  /** Writes the very cells of the store with RocksDB's own calls, put by put. */
  Outcome putsToRawRocksDb() throws IOException {
    return putsToRawRocksDb(raw.batches());
  }

  /** Writes one compacted cell per row with RocksDB's own calls. */
  Outcome sealedRowsToRawRocksDb() throws IOException {
    return putsToRawRocksDb(raw.sealedRows());
  }

  private Outcome putsToRawRocksDb(List<RawBatches.Records> records) throws IOException {
    try (WorkDirectory directory = work.inner("puts")) {
      RawRocksDb db = RawRocksDb.open(directory.path(), family);
      Cost write =
          Meter.measure(
              () -> {
                for (RawBatches.Records batch : records) {
                  db.write(batch.keys(), batch.values());
                }
              });
      return finished(directory, write, Meter.measure(db::close));
    }
  }

  /** As {@link #putsToRawRocksDb}, from batches that were made before: nothing but RocksDB. */
  Outcome preparedToRawRocksDb() throws IOException {
    try (WorkDirectory directory = work.inner("prepared")) {
      RawRocksDb db = RawRocksDb.open(directory.path(), family);
      Cost write =
          Meter.measure(
              () -> {
                for (byte[] batch : raw.prepared()) {
                  db.write(batch);
                }
              });
      return finished(directory, write, Meter.measure(db::close));
    }
  }

  private KeyValueStore open(Path directory) {
    return RocksDbStore.open(directory, RocksDbOptions.defaults());
  }

  private void importLines(Tsdb db) throws IOException {
    check(FileImport.run(db, file));
  }

  private void putThroughHandles(Tsdb db) {
    List<SeriesWriter> handles =
        points.series().stream().map(s -> db.writer().series(s.metric(), s.tags())).toList();
    Counted counted = new Counted();
    points.forEach(new HandleSink(handles.toArray(SeriesWriter[]::new), counted));
    db.flush();
    check(counted.stored.sum());
  }

  private void check(long taken) {
    if (taken != points.size()) {
      throw new IllegalStateException(taken + " of " + points.size() + " points");
    }
  }

  private Outcome finished(WorkDirectory directory, Cost write, Cost close) {
    try (RawRocksDb db = RawRocksDb.open(directory.path(), family)) {
      long flushed = db.tableBytes();
      Cost compaction = Meter.measure(db::compact);
      return new Outcome(write, close.plus(compaction), db.iterate(), flushed, db.tableBytes());
    } catch (RocksDBException e) {
      throw new IllegalStateException(e);
    }
  }

  private record HandleSink(SeriesWriter[] handles, Receipt receipt) implements Points.Sink {
    @Override
    public void put(int series, long timestamp, long value) {
      handles[series].put(timestamp, value, receipt, 0);
    }

    @Override
    public void put(int series, long timestamp, float value) {
      handles[series].put(timestamp, value, receipt, 0);
    }

    @Override
    public void put(int series, long timestamp, double value) {
      handles[series].put(timestamp, value, receipt, 0);
    }
  }

  private static final class Counted implements Receipt {
    private final LongAdder stored = new LongAdder();

    @Override
    public void stored(long token) {
      stored.increment();
    }

    @Override
    public void failed(long token, RuntimeException reason) {
      // The count is checked.
    }
  }
}
