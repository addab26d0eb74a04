package org.hourstone.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.bench.Meter.Cost;
import org.hourstone.write.Receipt;
import org.hourstone.write.SeriesPoints;
import org.hourstone.write.SeriesWriter;
import org.jspecify.annotations.Nullable;

/**
 * Writes points through typed handles into the head of a store on RocksDB, all series of one time
 * and then of the next, and prints what a point costs until it is acknowledged: gathered and one by
 * one, with few series and with many. Names are resolved and rows are open before.
 */
public final class HandlesBench {
  private static final Map<String, String> DEFAULTS =
      Map.of(
          "points", "4000000", // a round
          "series", "1000,200000",
          "warmup", "1", // rounds that don't count
          "rounds", "5",
          "ways", "gathered,put", // by SeriesPoints; one by one
          "dir", "");

  private static final int STEP_SECONDS = 10;
  private static final int SERIES_PER_HOST = 10;

  private HandlesBench() {}

  /** See {@code docs/performance.md} for the arguments. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    run(arguments, System.out);
  }

  static void run(String[] given, PrintStream out) throws IOException, InterruptedException {
    Arguments arguments = Arguments.parse(given, DEFAULTS);
    Map<String, List<Cost>> costs = new LinkedHashMap<>();
    out.println(Machine.description());
    out.println(arguments);
    out.println();
    for (int round = -arguments.number("warmup"); round < arguments.number("rounds"); round++) {
      for (String series : arguments.text("series").split(",")) {
        for (String way : arguments.text("ways").split(",")) {
          Cost cost = write(Integer.parseInt(series), way.equals("gathered"), arguments);
          if (round >= 0) {
            costs.computeIfAbsent(way + " | " + series, c -> new ArrayList<>()).add(cost);
          }
        }
      }
    }
    out.println(
        "| way | series | CPU ns per point | caller | writing threads"
            + " | bytes allocated per point | caller |");
    out.println("|---|---|---|---|---|---|---|");
    int points = arguments.number("points");
    costs.forEach(
        (way, rounds) ->
            out.printf(
                Locale.ROOT,
                "| %s | %s | %s | %s | %s | %s |%n",
                way,
                Spread.of(rounds, cost -> cost.cpu() / points * 1e9).text(0),
                Spread.of(rounds, cost -> cost.callerCpu() / points * 1e9).text(0),
                Spread.of(rounds, cost -> cost.flusherCpu() / points * 1e9).text(0),
                Spread.of(rounds, cost -> cost.allocated() / points).text(0),
                Spread.of(rounds, cost -> cost.callerAllocated() / points).text(1)));
  }

  private static Cost write(int series, boolean gathered, Arguments arguments)
      throws IOException, InterruptedException {
    try (WorkDirectory work = WorkDirectory.create(arguments.text("dir"));
        Tsdb db = Tsdb.open("rocksdb:" + work.path().resolve("store"), TsdbOptions.defaults())) {
      SeriesWriter[] handles = new SeriesWriter[series];
      for (int i = 0; i < series; i++) {
        handles[i] =
            db.writer()
                .series(
                    "cpu." + i % SERIES_PER_HOST, Map.of("host", "host_" + i / SERIES_PER_HOST));
      }
      Counted counted = new Counted();
      Putter putter = gathered ? gathered(db.writer().seriesPoints(counted)) : oneByOne(counted);
      put(handles, 0, series, putter, counted);
      int points = arguments.number("points");
      return Meter.measure(() -> put(handles, 1, points, putter, counted));
    }
  }

  /** Puts so many points, and waits until they are acknowledged. */
  private static void put(
      SeriesWriter[] handles, int firstStep, int points, Putter putter, Counted counted)
      throws InterruptedException {
    long before = counted.stored.sum();
    putter.put(handles, firstStep, points);
    while (counted.stored.sum() < before + points) {
      if (counted.failure != null) {
        throw new IllegalStateException(counted.failure);
      }
      Thread.sleep(1);
    }
  }

  /** Puts points of all handles for one time after the other. */
  @FunctionalInterface
  private interface Putter {
    void put(SeriesWriter[] handles, int firstStep, int points);
  }

  private static Putter oneByOne(Counted counted) {
    return (handles, firstStep, points) -> {
      for (int i = 0; i < points; i++) {
        handles[i % handles.length].put(time(handles, firstStep, i), i % 100, counted, 0);
      }
    };
  }

  private static Putter gathered(SeriesPoints gathering) {
    return (handles, firstStep, points) -> {
      for (int i = 0; i < points; i++) {
        gathering.add(handles[i % handles.length], time(handles, firstStep, i), i % 100, 0);
      }
      gathering.send();
    };
  }

  private static long time(SeriesWriter[] handles, int firstStep, int point) {
    return DevopsWorkload.START + (long) (firstStep + point / handles.length) * STEP_SECONDS;
  }

  private static final class Counted implements Receipt {
    private final LongAdder stored = new LongAdder();
    private volatile @Nullable RuntimeException failure;

    @Override
    public void stored(long token) {
      stored.increment();
    }

    @Override
    public void failed(long token, RuntimeException reason) {
      failure = reason;
    }
  }
}
