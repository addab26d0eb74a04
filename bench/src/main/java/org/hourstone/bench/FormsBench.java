package org.hourstone.bench;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.hourstone.Tsdb;
import org.hourstone.bench.Meter.Cost;
import org.hourstone.rewrite.CompactionListener;
import org.hourstone.rewrite.CompactionScope;

/**
 * Imports the workload W1 into a store as single cells, as packs and as appends; then asks for all
 * of it, compacts its rows, and asks again. Each figure is a ratio to that of single cells in the
 * same round.
 */
final class FormsBench {
  static final Map<String, String> DEFAULTS =
      Map.of(
          "store", "rocksdb", // or memory, hbase
          "hosts", "20",
          "hours", "2",
          "order", "time", // of the points; or series, shuffled within each hour
          "warmup", "1",
          "rounds", "5",
          "dir", ""); // for input and store; empty for the system's temporary files

  /** The cost of one form in one round. */
  private record Outcome(
      Cost imported,
      long bytes,
      Cost asked,
      Cost compacted,
      long compactedBytes,
      Cost askedAgain) {}

  private FormsBench() {}

  static void run(Arguments arguments, PrintStream out) throws Exception {
    try (WorkDirectory work = WorkDirectory.create(arguments.text("dir"));
        Subject subject = Subject.of(arguments.text("store"), work)) {
      DevopsWorkload workload =
          new DevopsWorkload(
              arguments.number("hosts"), (int) (arguments.decimal("hours") * 3600), false);
      out.printf("%d points%n%n", workload.points());
      Path lines = work.path().resolve("input");
      workload.writeTo(lines, PointOrder.of(arguments.text("order")));
      Question everything = Question.all(workload.seconds()).get(4);
      Map<Form, List<Outcome>> outcomes = new EnumMap<>(Form.class);
      for (int round = -arguments.number("warmup"); round < arguments.number("rounds"); round++) {
        for (Form form : Form.values()) {
          Outcome outcome = measure(form, lines, everything, subject);
          if (round >= 0) {
            outcomes.computeIfAbsent(form, f -> new ArrayList<>()).add(outcome);
          }
        }
      }
      print(outcomes, workload.points(), out);
    }
  }

  private static Outcome measure(Form form, Path lines, Question everything, Subject subject)
      throws Exception {
    try (Place place = subject.place()) {
      Cost imported =
          Meter.measure(
              () -> {
                try (Tsdb db = place.open(form.options())) {
                  FileImport.run(db, lines);
                  db.flush();
                }
              });
      place.settle();
      long bytes = place.bytes();
      Cost asked = ask(place, form, everything);
      Cost compacted =
          Meter.measure(
              () -> {
                try (Tsdb db = place.open(form.options())) {
                  db.compactor().run(CompactionScope.everything(), CompactionListener.NONE);
                }
              });
      place.settle();
      Cost askedAgain = ask(place, form, everything);
      return new Outcome(imported, bytes, asked, compacted, place.bytes(), askedAgain);
    }
  }

  private static Cost ask(Place place, Form form, Question question) {
    try (Tsdb db = place.open(form.options())) {
      question.ask(db);
      return Meter.measure(() -> question.ask(db));
    }
  }

  private static void print(Map<Form, List<Outcome>> outcomes, long points, PrintStream out) {
    out.println(
        "| | import, CPU | bytes per point | query of all, CPU | compacting the rows, CPU |"
            + " bytes per"
            + " point then | query of all then, CPU |");
    out.println("|---|---|---|---|---|---|---|");
    List<Outcome> single = outcomes.getOrDefault(Form.SINGLE, List.of());
    for (Map.Entry<Form, List<Outcome>> form : outcomes.entrySet()) {
      List<Outcome> own = form.getValue();
      out.printf(
          Locale.ROOT,
          "| %s | %s | %.2f | %s | %s | %.2f | %s |%n",
          form.getKey(),
          ratio(own, o -> o.imported().cpu(), single, o -> o.imported().cpu()),
          own.get(0).bytes() / (double) points,
          ratio(own, o -> o.asked().callerCpu(), single, o -> o.asked().callerCpu()),
          ratio(own, o -> o.compacted().cpu(), single, o -> o.imported().cpu()),
          own.get(0).compactedBytes() / (double) points,
          ratio(own, o -> o.askedAgain().callerCpu(), single, o -> o.asked().callerCpu()));
    }
    out.println();
    out.println(
        "Ratios, median (min–max): to the import of single cells, and to the query of single cells"
            + " before their rows were compacted.");
  }

  private static String ratio(
      List<Outcome> own,
      ToDoubleFunction<Outcome> figure,
      List<Outcome> single,
      ToDoubleFunction<Outcome> base) {
    double[] ratios = new double[own.size()];
    for (int i = 0; i < ratios.length; i++) {
      ratios[i] = figure.applyAsDouble(own.get(i)) / base.applyAsDouble(single.get(i));
    }
    return Spread.of(ratios).text(2);
  }
}
