package org.hourstone.kv.hbase;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;

/**
 * Makes the client forget the locations of regions while a call takes longer than one attempt may.
 *
 * <p>A server remembers for two minutes where it gave a region to, also when it has got it back
 * since. Where that region is then split or merged, the server sends whoever asks for it to where
 * it once was; the client sees that this is older than what it knows, and asks the same server
 * again until the time-out. It finds the region that took its place only if it looks it up again.
 *
 * <p>Locations are forgotten only after hbase:meta was read. While its server does not respond,
 * forgetting them would make calls to regions of all other servers wait for it as well. They are
 * forgotten table by table: then lookups under way are repeated, while the client loses them, until
 * their time-out, if it forgets all locations at once.
 */
final class RegionLocations {
  private static final byte[] ANY_ROW = {0};

  private final ScheduledExecutorService watch;

  private RegionLocations(ScheduledExecutorService watch) {
    this.watch = watch;
  }

  static RegionLocations watch(
      AsyncConnection connection, Set<TableName> tables, InFlightCalls calls, Duration attempt) {
    ScheduledExecutorService watch =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "hourstone-hbase-locations");
              thread.setDaemon(true);
              return thread;
            });
    Runnable look =
        () -> {
          try {
            if (calls.anyFor(attempt)) {
              var unused = readMeta(connection).thenRun(() -> forget(connection, tables));
            }
          } catch (Throwable failure) {
            // Thrown from here it would end the schedule; the next look may succeed.
          }
        };
    long period = attempt.toMillis();
    var unused = watch.scheduleWithFixedDelay(look, period, period, TimeUnit.MILLISECONDS);
    return new RegionLocations(watch);
  }

  private static CompletableFuture<Result> readMeta(AsyncConnection connection) {
    return connection
        .getTableBuilder(TableName.META_TABLE_NAME)
        .setMaxAttempts(1)
        .build()
        .get(new Get(ANY_ROW));
  }

  private static void forget(AsyncConnection connection, Set<TableName> tables) {
    for (TableName table : tables) {
      connection.getRegionLocator(table).clearRegionLocationCache();
    }
  }

  void close() {
    watch.shutdown();
  }
}
