package org.hourstone.kv.hbase;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.client.AsyncConnection;

/**
 * Has the client forget where regions are while a call takes longer than one attempt may.
 *
 * <p>A server remembers for two minutes where it gave a region to, also when it has got it back
 * since. Where that region is then split or merged, the server sends whoever asks for it to where
 * it once was; the client sees that this is older than what it knows, and asks the same server
 * again until the time-out. It finds the region that took its place only if it looks it up anew.
 */
final class KnownPlaces {
  private final ScheduledExecutorService watch;

  private KnownPlaces(ScheduledExecutorService watch) {
    this.watch = watch;
  }

  static KnownPlaces watch(AsyncConnection connection, Calls calls, Duration attempt) {
    ScheduledExecutorService watch =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "hourstone-hbase-places");
              thread.setDaemon(true);
              return thread;
            });
    Runnable look =
        () -> {
          if (calls.anyFor(attempt)) {
            connection.clearRegionLocationCache();
          }
        };
    long period = attempt.toMillis();
    var unused = watch.scheduleWithFixedDelay(look, period, period, TimeUnit.MILLISECONDS);
    return new KnownPlaces(watch);
  }

  void close() {
    watch.shutdown();
  }
}
