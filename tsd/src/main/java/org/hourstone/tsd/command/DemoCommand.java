package org.hourstone.tsd.command;

import java.io.InputStream;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.hourstone.QuerySettings;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.kv.KeyValueStores;
import org.hourstone.kv.StoreException;
import org.hourstone.query.QueryDialect;
import org.hourstone.tsd.session.GivenSettings;
import org.hourstone.tsd.session.JobClient;
import org.hourstone.tsd.session.ProgramName;
import org.hourstone.tsd.session.Progress;
import org.hourstone.tsd.session.RocksDbPlace;
import org.hourstone.tsd.session.SessionCommand;
import org.hourstone.tsd.view.ChartView;
import org.hourstone.tsd.view.SeriesView;
import org.hourstone.tsd.view.TableView;
import picocli.CommandLine.Command;

/** {@code demo}. */
@Command(
    name = "demo",
    description = {
      "Stores 321,206 points of real monitoring data in a fresh store and shows two query results.",
      "",
      "The store is rocksdb:./data-demo unless --store names another, which must be empty. The one"
          + " of an earlier demo is deleted first."
    },
    footer = {"  hourstone demo", "  hourstone --store rocksdb:/tmp/demo demo"})
public final class DemoCommand extends SessionCommand {
  private static final String DEFAULT_STORE = "rocksdb:./data-demo";
  private static final String DATA = "/org/hourstone/tsd/demo/nab.import.gz";
  private static final ZoneId ZONE = ZoneId.of("UTC");
  private static final List<String> TAXI =
      List.of("2015/01/22", "2015/01/30", "sum:1d-sum:taxi.passengers{city=*}");
  private static final List<String> MACHINE =
      List.of("2013/12/01", "2014/02/20", "avg:6h-avg:machine.temperature{machine=*}");
  private static final String PAGE =
      "http://127.0.0.1:4242/#start=2013/12/01&end=2014/02/20"
          + "&m=avg:6h-avg:machine.temperature{machine=*}";
  private static final List<String> MORE =
      List.of(
          "query 2014/02/14 2014/03/01 'max:1d-max:aws.ec2.cpu_utilization{instance=*}'",
          "cells data | head -n 3");

  @Override
  protected boolean run() {
    String given = session().settings().givenStore();
    String uri = given == null ? DEFAULT_STORE : given;
    Path directory = RocksDbPlace.directory(GivenSettings.parse(uri));
    if (directory != null) {
      checkIsNotInUse(uri, directory);
      DemoDirectory.prepare(directory);
      GivenSettings.given(() -> KeyValueStores.open(uri)).close();
      DemoDirectory.mark(directory);
    }
    TsdbOptions options =
        ImportRun.options(session().settings().options())
            .with(Settings.AUTO_CREATE_METRICS, "true")
            .with(Settings.OUT_OF_ORDER_IMPORT, "true")
            .with(QuerySettings.FIX_DUPLICATES, "true");
    out().line("Storing 321,206 points of 47 real series in a fresh store, " + uri + ":");
    out().flush();
    try (ImportRun run =
        new ImportRun(
            session(),
            options,
            with -> GivenSettings.given(() -> Tsdb.open(uri, with)),
            null,
            false,
            file -> UnaryOperator.identity(),
            // The import would end before its progress could be read.
            new ImportProgress(session(), Progress.none(session()), false, null, null))) {
      if (!load(run)) {
        return false;
      }
      boolean stays = !GivenSettings.parse(uri).scheme().equals("memory");
      ask(run.database(), stays ? uri : DEFAULT_STORE);
      out().line("");
      if (stays) {
        out().line("The data stays. Run more queries, or inspect the stored bytes:");
        MORE.forEach(each -> command(uri, each));
        out().line("Or see it in a browser, as long as this runs:");
        command(uri, "tsd");
        out().line("  " + PAGE);
      } else {
        out()
            .line(
                "The data is discarded now, as "
                    + uri
                    + " is in memory; without --store it stays.");
      }
    }
    return true;
  }

  /** The files of a demo that a daemon serves must not be deleted. */
  private static void checkIsNotInUse(String uri, Path directory) {
    if (DemoDirectory.isMarked(directory)) {
      try {
        GivenSettings.given(() -> KeyValueStores.open(uri)).close();
      } catch (StoreException e) {
        if (JobClient.isInUse(e)) {
          throw e;
        }
        // What can't be opened may be deleted.
      }
    }
  }

  private static boolean load(ImportRun run) {
    InputStream data = DemoCommand.class.getResourceAsStream(DATA);
    if (data == null) {
      throw new IllegalStateException(DATA + " is missing");
    }
    try (ImportInput input = ImportInput.open(DATA, ImportInput.UNKNOWN_SIZE, data)) {
      return run.add(input) && run.finish();
    }
  }

  private void ask(Tsdb db, String uri) {
    out().line("");
    out()
        .line(
            "Passengers of New York's taxis a day: a snow storm stops them on 26 and 27 January.");
    answer(db, uri, TAXI, new TableView(out(), ZONE), "");
    out().line("");
    out()
        .line(
            "The temperature of a machine: shut down as planned in December, failed in February.");
    ChartView chart = new ChartView(out(), ZONE, session().streams().columns(), null);
    answer(db, uri, MACHINE, chart, " --chart");
  }

  private void answer(Tsdb db, String uri, List<String> words, SeriesView view, String option) {
    command(uri, "query " + words.get(0) + " " + words.get(1) + " '" + words.get(2) + "'" + option);
    List<QueryCommand.Asked> asked = new ArrayList<>();
    QueryWords.parse(words, session().clock(), ZONE, QueryDialect.HOURSTONE)
        .forEach(query -> asked.add(new QueryCommand.Asked(query, () -> db.query(query))));
    QueryCommand.show(asked, view);
  }

  private void command(String uri, String rest) {
    out().line("  " + ProgramName.get() + " --store " + uri + " " + rest);
  }
}
