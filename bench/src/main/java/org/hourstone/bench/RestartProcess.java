package org.hourstone.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.head.HeadStats;
import org.hourstone.write.Receipt;
import org.hourstone.write.SeriesWriter;

/** The processes of {@link RestartBench}: each prints a line, and then waits to be killed. */
final class RestartProcess {
  static final Map<String, String> OPEN_DEFAULTS = Map.of("uri", "");
  static final Map<String, String> FILL_DEFAULTS = Child.with(RestartBench.DEFAULTS, "uri");

  private static final int STORED_HOURS = 24;

  /** The hour of the points in the journal, which is open at {@link #OPTIONS}' time. */
  private static final long OPEN_HOUR = DevopsWorkload.START + STORED_HOURS * 3600L;

  private static final TsdbOptions OPTIONS =
      TsdbOptions.defaults().withClock(() -> Instant.ofEpochSecond(OPEN_HOUR + 1800));

  private static final int MOST_IN_FLIGHT = 100_000;

  private RestartProcess() {}

  /** Stores points of a day, and then others until the journal has its size. */
  static void fill(Arguments arguments, PrintStream out) throws IOException {
    Tsdb db = Tsdb.open(arguments.text("uri"), OPTIONS);
    new FleetRows(arguments.number("stored"), STORED_HOURS, 10).writeTo(db);
    List<SeriesWriter> writers = new ArrayList<>();
    for (int i = 0; i < arguments.number("series"); i++) {
      writers.add(db.writer().series("live", Map.of("host", "h" + i)));
    }
    Semaphore room = new Semaphore(MOST_IN_FLIGHT);
    Receipt receipt =
        new Receipt() {
          @Override
          public void stored(long token) {
            room.release();
          }

          @Override
          public void failed(long token, RuntimeException reason) {
            throw reason;
          }
        };
    int journal = arguments.number("journal");
    int points = 0;
    for (int second = 0; second < 3600 && stats(db).journalBytes() < journal; second += 10) {
      for (SeriesWriter writer : writers) {
        room.acquireUninterruptibly();
        writer.put(OPEN_HOUR + second, points++ % 1000, receipt, 0);
      }
    }
    room.acquireUninterruptibly(MOST_IN_FLIGHT);
    printAndWait(points + " points in the journal: " + stats(db), out);
  }

  private static HeadStats stats(Tsdb db) {
    HeadStats stats = db.engine().headStats();
    if (stats == null) {
      throw new IllegalStateException("no head");
    }
    return stats;
  }

  /** Opens a store, and prints the seconds by the clock, of CPU, and of CPU of the caller. */
  static void open(Arguments arguments, PrintStream out) throws IOException {
    Meter.Cost cost = Meter.measure(() -> Tsdb.open(arguments.text("uri"), OPTIONS));
    printAndWait(cost.seconds() + " " + cost.cpu() + " " + cost.callerCpu(), out);
  }

  private static void printAndWait(String line, PrintStream out) throws IOException {
    out.println(line);
    out.flush();
    System.in.read();
  }
}
