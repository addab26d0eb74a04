package org.hourstone.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.bench.Meter.Cost;
import org.hourstone.query.Query;

/** Asks for one host of many, with the series index and without it, in the same round. */
final class SeriesBench {
  static final Map<String, String> DEFAULTS =
      Map.of(
          "series", "10000",
          "hours", "24",
          "step", "600",
          "store", "memory,rocksdb",
          "warmup", "3",
          "rounds", "9",
          "dir", "");

  private SeriesBench() {}

  static void run(Arguments parsed, PrintStream out) throws IOException {
    FleetRows rows = FleetRows.of(parsed);
    try (WorkDirectory work = WorkDirectory.create(parsed.text("dir"))) {
      out.println("| | index, ms | scan, ms | scan / index |");
      out.println("|---|---|---|---|");
      for (String store : parsed.list("store")) {
        try (Subject subject = Subject.of(store, work);
            Place place = subject.place();
            Tsdb indexed = place.open(Form.PACKS.options());
            Tsdb plain = Tsdb.over(indexed.engine().store(), withoutIndex())) {
          rows.writeTo(indexed);
          compare(store, indexed, plain, rows, parsed, out);
        }
      }
    }
  }

  private static TsdbOptions withoutIndex() {
    return Form.PACKS.options().with(Settings.INDEX_ENABLE, "false");
  }

  private static void compare(
      String store,
      Tsdb indexed,
      Tsdb plain,
      FleetRows rows,
      Arguments arguments,
      PrintStream out) {
    for (String filter : List.of("host=h" + rows.series() / 2, "host=regexp(^h7.7$)")) {
      Question question = new Question(filter, List.of(query(filter, rows)), "");
      List<Double> with = new ArrayList<>();
      List<Double> without = new ArrayList<>();
      Question.Outcome[] outcomes = new Question.Outcome[2];
      for (int round = -arguments.number("warmup"); round < arguments.number("rounds"); round++) {
        Cost one = Meter.measure(() -> outcomes[0] = question.ask(indexed));
        Cost other = Meter.measure(() -> outcomes[1] = question.ask(plain));
        if (round >= 0) {
          with.add(one.seconds());
          without.add(other.seconds());
        }
      }
      if (outcomes[0].points() != outcomes[1].points()) {
        throw new IllegalStateException("different answers with and without the index");
      }
      List<Double> ratios = new ArrayList<>();
      for (int i = 0; i < with.size(); i++) {
        ratios.add(without.get(i) / with.get(i));
      }
      out.printf(
          "| %s, `%s` | %s | %s | %s |%n",
          store,
          filter,
          Spread.of(with, seconds -> seconds * 1000).text(1),
          Spread.of(without, seconds -> seconds * 1000).text(1),
          Spread.of(ratios, ratio -> ratio).text(1));
    }
  }

  private static Query query(String filter, FleetRows rows) {
    long start = DevopsWorkload.START * 1000;
    return Query.parse("sum:" + FleetRows.METRIC + "{" + filter + "}")
        .betweenMillis(start, start + rows.hours() * 3_600_000L - 1);
  }
}
