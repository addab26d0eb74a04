package org.hourstone.tsd;

import java.io.InputStream;
import java.nio.file.Path;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.Callable;
import org.hourstone.ConfigKey;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.kv.StoreUri;
import picocli.CommandLine.Command;

/** {@code demo}. */
@Command(
    name = "demo",
    description = {
      "Stores 321,206 points of real monitoring data in a fresh store and shows two answers.",
      "",
      "The store is rocksdb:./data-demo unless --store names another, which must be empty. The one"
          + " of an earlier demo is deleted first."
    },
    footer = {"  hourstone demo", "  hourstone --store rocksdb:/tmp/demo demo"})
final class DemoCommand implements Callable<Integer> {
  private static final String DEFAULT_STORE = "rocksdb:./data-demo";
  private static final String DATA = "demo/nab.import.gz";
  private static final String TAXI = "sum:1d-sum:taxi.passengers{city=*}";
  private static final String MACHINE = "avg:6h-avg:machine.temperature{machine=*}";

  private final Session session;
  private final TextOutput out;

  DemoCommand(Session session) {
    this.session = session;
    this.out = session.out();
  }

  @Override
  public Integer call() {
    String given = session.givenStore();
    String uri = given == null ? DEFAULT_STORE : given;
    Path directory = Session.rocksDbDirectory(StoreUri.parse(uri));
    if (directory != null) {
      DemoDirectory.prepare(directory);
    }
    TsdbOptions options =
        session
            .options()
            .with(ConfigKey.TIMEZONE, ZoneOffset.UTC.getId())
            .with(ConfigKey.AUTO_CREATE_METRICS, "true")
            .with(ConfigKey.OUT_OF_ORDER_IMPORT, "true")
            .with(ConfigKey.FIX_DUPLICATES, "true");
    out.line("321,206 points of 47 real series go into a fresh store, " + uri + ":");
    out.flush();
    try (Tsdb db = Tsdb.open(uri, options)) {
      if (!load(db)) {
        return ExitCode.FAILED;
      }
      ask(db, uri);
    }
    return ExitCode.OK;
  }

  private boolean load(Tsdb db) {
    InputStream data = DemoCommand.class.getResourceAsStream(DATA);
    if (data == null) {
      throw new IllegalStateException(DATA + " is missing");
    }
    try (ImportRun run = new ImportRun(session, () -> db, false, false);
        ImportInput input = ImportInput.open(DATA, ImportInput.UNKNOWN_SIZE, data)) {
      return run.add(input) && run.finish();
    }
  }

  private void ask(Tsdb db, String uri) {
    ZoneId zone = db.options().timeZone();
    out.line("");
    out.line("New York taxis, passengers a day: a snow storm stops them on 26 and 27 January.");
    command(uri, "query 2015/01/22 2015/01/31 '" + TAXI + "'");
    show(db, List.of("2015/01/22", "2015/01/30-23:59", TAXI), new TableView(out, zone));
    out.line("");
    out.line("A machine's temperature over eleven weeks: two shutdowns, then the failure.");
    command(uri, "query 2013/12/01 2014/02/20 '" + MACHINE + "' --chart");
    show(
        db,
        List.of("2013/12/01", "2014/02/20", MACHINE),
        new ChartView(out, zone, session.streams().columns(), null));
    out.line("");
    out.line("The data stays. Ask it yourself, or look at the stored bytes:");
    command(uri, "query 2014/02/14 2014/03/01 'max:1d-max:aws.ec2.cpu_utilization{instance=*}'");
    command(uri, "cells data | head -n 3");
  }

  private void command(String uri, String rest) {
    out.line("  hourstone --store " + uri + " " + rest);
  }

  private void show(Tsdb db, List<String> words, SeriesView view) {
    QueryCommand.show(
        db, QueryWords.parse(words, session.clock(), db.options().timeZone()), view);
  }
}
