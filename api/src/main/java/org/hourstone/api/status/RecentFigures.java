package org.hourstone.api.status;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.hourstone.Tsdb;
import org.hourstone.api.request.Refusals;
import org.hourstone.health.DiskSpace;
import org.hourstone.internal.Json;
import org.hourstone.internal.OutOfMemoryReport;

/**
 * {@code /api/stats/recent}: a few figures of the last hour, for the web page. None of them is read
 * from the store. Thread-safe.
 */
public final class RecentFigures implements AutoCloseable {
  public static final String PATH = "/api/stats/recent";
  static final Duration PERIOD = Duration.ofSeconds(10);
  public static final int MOST = 361; // an hour, and its begin

  private final Tsdb db;
  private final Refusals refusals;
  private final InstantSource time;
  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "hourstone-recent-figures");
            thread.setDaemon(true);
            return thread;
          });

  /** Guarded by itself. */
  private final Deque<Sample> samples = new ArrayDeque<>();

  private record Sample(
      long millis, long stored, long refused, int queries, long heap, long freeDisk) {}

  /** Begins to take the figures, until it is closed. */
  public RecentFigures(Tsdb db, Refusals refusals, InstantSource time) {
    this.db = db;
    this.refusals = refusals;
    this.time = time;
    var unused =
        clock.scheduleAtFixedRate(this::sample, 0, PERIOD.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Takes the figures now. */
  public void sample() {
    try {
      Runtime jvm = Runtime.getRuntime();
      Sample now =
          new Sample(
              time.millis(),
              db.writer().stored(),
              Math.max(refusals.points(), db.writer().stats().failed()),
              db.runningQueries().list().size(),
              jvm.totalMemory() - jvm.freeMemory(),
              db.diskSpace().map(DiskSpace::free).orElse(-1L));
      synchronized (samples) {
        samples.add(now);
        if (samples.size() > MOST) {
          samples.remove();
        }
      }
    } catch (OutOfMemoryError e) {
      OutOfMemoryReport.report(e); // the executor would ignore it
      throw e;
    }
  }

  /** As JSON: times, and for each the figures of the period that ends there. */
  public String text() {
    ObjectNode json = Json.object().put("period", PERIOD.toMillis());
    var times = json.putArray("times");
    var stored = json.putArray("storedPerSecond");
    var refused = json.putArray("refusedPerSecond");
    var queries = json.putArray("queries");
    var heap = json.putArray("heapBytes");
    var freeDisk = json.putArray("freeDiskBytes");
    Sample before = null;
    synchronized (samples) {
      for (Sample each : samples) {
        if (before != null && each.millis() > before.millis()) {
          double seconds = (each.millis() - before.millis()) / 1e3;
          times.add(each.millis());
          stored.add((each.stored() - before.stored()) / seconds);
          refused.add((each.refused() - before.refused()) / seconds);
          queries.add(each.queries());
          heap.add(each.heap());
          if (each.freeDisk() < 0) {
            freeDisk.addNull();
          } else {
            freeDisk.add(each.freeDisk());
          }
        }
        before = each;
      }
    }
    return Json.text(json);
  }

  @Override
  public void close() {
    clock.shutdown();
  }
}
