package org.hourstone.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.bench.Meter.Cost;
import org.hourstone.write.SeriesPoints;
import org.hourstone.write.SeriesWriter;

/**
 * Writes points through typed handles into the head of a store on RocksDB, all series of one time
 * and then of the next, and prints what a point costs until it is acknowledged: gathered and one by
 * one, with few series and with many. Names are resolved and rows are open before.
 *
 * <p>Each series has points of the same hours, and the clock is that of the points: rows are
 * written when their hour is over, with few series as with many. Stores of few series are filled
 * one after the other until there are enough points to be measured.
 */
final class HandlesBench {
  static final Map<String, String> DEFAULTS =
      Map.of(
          "points", "4000000", // of a round, at least
          "series", "1000,200000",
          "hours", "2",
          "step", "30", // seconds between two points of a series
          "warmup", "1", // rounds that don't count
          "rounds", "5",
          "ways", "gathered,put", // by SeriesPoints; one by one
          "dir", "");

  private static final int HOUR = 3600;
  private static final int SERIES_PER_HOST = 10;

  private HandlesBench() {}

  static void run(Arguments arguments, PrintStream out) throws IOException, InterruptedException {
    Map<String, List<Cost>> costs = new LinkedHashMap<>();
    for (int round = -arguments.number("warmup"); round < arguments.number("rounds"); round++) {
      for (String series : arguments.text("series").split(",")) {
        for (String way : arguments.text("ways").split(",")) {
          Cost cost = costOfPoint(Integer.parseInt(series), way.equals("gathered"), arguments);
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
    costs.forEach(
        (way, rounds) ->
            out.printf(
                "| %s | %s | %s | %s | %s | %s |%n",
                way,
                Spread.of(rounds, cost -> cost.cpu() * 1e9).text(0),
                Spread.of(rounds, cost -> cost.callerCpu() * 1e9).text(0),
                Spread.of(rounds, cost -> cost.flusherCpu() * 1e9).text(0),
                Spread.of(rounds, Cost::allocated).text(0),
                Spread.of(rounds, Cost::callerAllocated).text(1)));
  }

  private static Cost costOfPoint(int series, boolean gathered, Arguments arguments)
      throws IOException, InterruptedException {
    int step = arguments.number("step");
    int steps = arguments.number("hours") * HOUR / step;
    Cost all = Cost.NONE;
    long points = 0;
    while (points < arguments.number("points")) {
      try (WorkDirectory work = WorkDirectory.create(arguments.text("dir"));
          OneStore store = OneStore.open(work, series, step, gathered)) {
        store.write(0, 1);
        all = all.plus(Meter.measure(() -> store.write(1, steps)));
        points += (long) series * (steps - 1);
      }
    }
    return all.dividedBy((double) points);
  }

  /** A store, and the handles of its series. */
  private static final class OneStore implements AutoCloseable {
    private final Tsdb db;
    private final SeriesWriter[] handles;
    private final AtomicLong now;
    private final int step;
    private final Stored stored = new Stored();
    private final Putter putter;

    private OneStore(Tsdb db, SeriesWriter[] handles, AtomicLong now, int step, boolean gathered) {
      this.db = db;
      this.handles = handles;
      this.now = now;
      this.step = step;
      this.putter = gathered ? gathered(db.writer().seriesPoints(stored)) : oneByOne(stored);
    }

    static OneStore open(WorkDirectory work, int series, int step, boolean gathered) {
      AtomicLong now = new AtomicLong(DevopsWorkload.START * 1000);
      Tsdb db =
          Tsdb.open(
              "rocksdb:" + work.path().resolve("store"),
              TsdbOptions.defaults().withClock(() -> Instant.ofEpochMilli(now.get())));
      SeriesWriter[] handles = new SeriesWriter[series];
      for (int i = 0; i < series; i++) {
        handles[i] =
            db.writer()
                .series(
                    "cpu." + i % SERIES_PER_HOST, Map.of("host", "host_" + i / SERIES_PER_HOST));
      }
      return new OneStore(db, handles, now, step, gathered);
    }

    /** Puts points of all series for one time after the other; returns when all are stored. */
    void write(int firstStep, int endStep) throws InterruptedException {
      for (int i = firstStep; i < endStep; i++) {
        long time = DevopsWorkload.START + (long) i * step;
        if (time % HOUR == 0) {
          await((long) i * handles.length); // its time has not come before
        }
        now.set(time * 1000);
        putter.put(handles, time, i);
      }
      await((long) endStep * handles.length);
    }

    /** Returns when this number of points is stored. */
    private void await(long points) throws InterruptedException {
      putter.send();
      while (stored.points() < points) {
        Thread.sleep(1);
      }
    }

    @Override
    public void close() {
      db.close();
    }
  }

  /** Puts a point of each handle. */
  private interface Putter {
    void put(SeriesWriter[] handles, long time, long value);

    /** Hands over what is gathered. */
    default void send() {}
  }

  private static Putter oneByOne(Stored stored) {
    return (handles, time, value) -> {
      for (int i = 0; i < handles.length; i++) {
        handles[i].put(time, (i + value) % 100, stored, 0);
      }
    };
  }

  private static Putter gathered(SeriesPoints gathering) {
    return new Putter() {
      @Override
      public void put(SeriesWriter[] handles, long time, long value) {
        for (int i = 0; i < handles.length; i++) {
          gathering.add(handles[i], time, (i + value) % 100, 0);
        }
      }

      @Override
      public void send() {
        gathering.send();
      }
    };
  }
}
