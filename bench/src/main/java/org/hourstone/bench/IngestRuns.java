package org.hourstone.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.bench.Meter.Action;
import org.hourstone.bench.Meter.Cost;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.SchemaMode;
import org.hourstone.write.SeriesWriter;

/** The routes for the points of one import file, from reading its lines to the raw store. */
final class IngestRuns {
  private final Path file;

  /** The first of its lines, one for each series, whose names are new to a store. */
  private final Path first;

  private final Subject subject;
  private final TsdbOptions options;
  private final Points points;
  private final List<List<RowMutation>> batches;
  private final List<List<RowMutation>> stored;

  /**
   * The result of one run.
   *
   * @param write until every point was acknowledged
   * @param server CPU seconds of the store's own process until then
   * @param finish closing the store and merging its files
   * @param records in the files at the end
   * @param closedBytes of files after closing
   * @param settledBytes of files after a full compaction
   */
  record Outcome(
      Cost write, double server, Cost finish, long records, long closedBytes, long settledBytes) {}

  /** Reads the file and writes it once, to get its batches. */
  IngestRuns(Path file, Subject subject, TsdbOptions options) throws Exception {
    this.file = file;
    this.subject = subject;
    this.options = options;
    this.points = Points.read(file);
    this.first = file.resolveSibling("first");
    try (Stream<String> lines = Files.lines(file)) {
      Files.write(first, lines.limit(series()).toList());
    }
    try (Place place = subject.place()) {
      try (KeyValueStore store = place.store();
          RecordedBatches recorded = new RecordedBatches(store, Place.POINTS);
          Tsdb db = Tsdb.over(recorded, options)) {
        importLines(db);
        this.batches = recorded.batches();
      }
      this.stored = place.stored(batches);
    }
  }

  int points() {
    return points.size();
  }

  int series() {
    return points.series().size();
  }

  long cells() {
    return batches.stream().flatMap(List::stream).mapToLong(row -> row.changes().size()).sum();
  }

  int batches() {
    return batches.size();
  }

  /** Imports the file: the way of the command line. */
  Outcome importFile() throws Exception {
    return written(options, this::importLines);
  }

  /**
   * Writes the points through handles of their series, as a Java program does, with the options
   * that it has by default: into the head of a store that has one.
   */
  Outcome putThroughHandles() throws Exception {
    AtomicLong clock = new AtomicLong(points.start() * 1000);
    try (Place place = subject.place()) {
      Tsdb db =
          place.open(
              TsdbOptions.defaults()
                  .with(Settings.CREATE_TABLES, "true")
                  .withClock(() -> Instant.ofEpochMilli(clock.get())));
      SeriesWriter[] handles =
          points.series().stream()
              .map(series -> db.writer().series(series.metric(), series.tags()))
              .toArray(SeriesWriter[]::new);
      return outcome(place, () -> points.put(handles, db.writer(), clock), db::close);
    }
  }

  /** Writes lines of telnet whose points are buffered by their own clock. */
  Outcome live(Form form, int flushSeconds) throws Exception {
    TelnetLines lines = TelnetLines.read(file);
    return written(lines.clocked(form.options(flushSeconds)), lines::write);
  }

  /** Hands the store alone the batches it had got from the pipeline. */
  Outcome batchesToStore() throws Exception {
    try (Place place = subject.place()) {
      KeyValueStore store = place.store();
      store.ensure(options.tables().families(), SchemaMode.CREATE);
      return outcome(
          place, () -> batches.forEach(batch -> store.mutate(Place.POINTS, batch)), store::close);
    }
  }

  /**
   * Writes the very cells of the store without it.
   *
   * @param whole whether in the batches in which the store got them
   */
  Outcome raw(boolean whole) throws Exception {
    try (Place place = subject.place()) {
      Place.Writing writing = place.writing(stored, whole);
      return outcome(place, writing::run, writing::close);
    }
  }

  /** Writes points to a database. */
  private interface Import {
    void to(Tsdb db) throws Exception;
  }

  private Outcome written(TsdbOptions with, Import points) throws Exception {
    try (Place place = subject.place()) {
      Tsdb db = place.open(with);
      FileImport.run(db, first);
      db.flush();
      return outcome(place, () -> points.to(db), db::close);
    }
  }

  private Outcome outcome(Place place, Action write, Action close) throws Exception {
    double before = subject.serverCpu();
    Cost written = Meter.measure(write);
    double server = subject.serverCpu() - before;
    Cost closed = Meter.measure(close);
    long bytes = place.bytes();
    Cost settled = Meter.measure(place::settle);
    return new Outcome(
        written, server, closed.plus(settled), place.records(), bytes, place.bytes());
  }

  private void importLines(Tsdb db) throws IOException {
    check(FileImport.run(db, file));
  }

  private void check(long taken) {
    if (taken != points.size()) {
      throw new IllegalStateException(taken + " of " + points.size() + " points");
    }
  }
}
