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
 * <p>A server remembers for two minutes to which server it has moved a region, even if the region
 * has been moved back since. If the region is then split or merged, the server redirects requests
 * for it to the old target. The client detects that this location is older than the one it knows,
 * and calls the same server again until the timeout. It finds the region's successor only if it
 * looks the location up again.
 *
 * <p>Locations are forgotten only after hbase:meta was read. While its server does not respond,
 * forgetting them would make calls to regions of all other servers wait for it too. They are
 * forgotten table by table, since lookups in progress are then repeated; if the client forgot all
 * locations in one call, it would lose those lookups until their timeout.
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
            // An exception thrown from here would end the schedule; the next attempt may succeed.
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
