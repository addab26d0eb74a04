package org.hourstone.server;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.hourstone.api.Telnet;
import org.hourstone.internal.OutOfMemoryReport;

/** Periodically writes the statistics of the server to its own database. */
final class SelfMonitor implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger("org.hourstone.server");

  private static final long END_SECONDS = 5;

  /** The sender of its points, for the log. */
  private static final String CLIENT = "self-monitor";

  private final Telnet telnet;
  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "hourstone-self-monitor");
            thread.setDaemon(true);
            return thread;
          });

  /**
   * @param interval zero for never
   */
  SelfMonitor(Telnet telnet, Duration interval) {
    this.telnet = telnet;
    if (!interval.isZero()) {
      var unused =
          clock.scheduleWithFixedDelay(
              this::write, interval.toMillis(), interval.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  /** Writes them now. */
  void write() {
    try {
      telnet
          .statistics()
          .lines()
          .forEach(
              line -> {
                var unused = telnet.respond("put " + line, CLIENT); // which logs refusals
              });
    } catch (RuntimeException e) {
      LOG.log(Level.WARNING, "statistics are not written: " + e.getMessage());
    } catch (OutOfMemoryError e) {
      OutOfMemoryReport.report(e); // the executor would ignore it
      throw e;
    }
  }

  /** Ends the monitoring; the database may be closed after that. */
  @Override
  public void close() {
    clock.shutdown();
    try {
      if (!clock.awaitTermination(END_SECONDS, TimeUnit.SECONDS)) {
        LOG.log(Level.WARNING, "statistics are still being written after the server has stopped");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
