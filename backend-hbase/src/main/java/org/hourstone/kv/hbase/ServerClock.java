package org.hourstone.kv.hbase;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RowMutations;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Family;
import org.hourstone.kv.StoreException;
import org.jspecify.annotations.Nullable;

/**
 * The clocks of the region servers, which date all cells. The client's clock is not used, since it
 * may be hours off.
 *
 * <p>The time of a server is determined by the date that it gives to a cell: a counter is
 * incremented and deleted again in one atomic step, so that no reader ever sees it, and its new
 * value is returned with its date. From then on the client's elapsed time is added to that date;
 * the sum is never ahead of the server's clock.
 */
final class ServerClock {
  /**
   * The largest difference between the clocks of two region servers: the master lets no server join
   * that is more than half of it ahead or behind ({@code hbase.master.maxclockskew}).
   */
  private static final long MAX_SKEW_MILLIS = 60_000;

  /** The maximum wait until a time is over; a caller that would have to wait longer fails. */
  static final Duration MAX_WAIT = Duration.ofSeconds(5);

  /**
   * The time after which a server's time is requested again, since the client's clock may run at
   * another rate.
   */
  private static final long VALID_NANOS = TimeUnit.MINUTES.toNanos(1);

  private static final byte[] COUNTER = "hourstone.clock".getBytes(StandardCharsets.US_ASCII);

  /** The number of requests to a server if its responses do not contain its time. */
  private static final int MOST_ATTEMPTS = 5;

  private final BiFunction<Family, RowMutations, Result> call;
  private final BiFunction<Family, byte[], ServerName> servers;
  private final HBaseErrors errors;
  private final Map<ServerName, Reading> readings = new ConcurrentHashMap<>();
  private volatile @Nullable Reading last;

  /** A server's time, and the client's {@link System#nanoTime} when it was received. */
  private record Reading(long millis, long nanos) {
    long age() {
      return System.nanoTime() - nanos;
    }

    boolean isValid() {
      return age() <= VALID_NANOS;
    }

    long now() {
      return millis + TimeUnit.NANOSECONDS.toMillis(age());
    }
  }

  /**
   * @param call changes a row and returns its new counters
   * @param servers returns the server of a row, as far as the client knows
   */
  ServerClock(
      BiFunction<Family, RowMutations, Result> call,
      BiFunction<Family, byte[], ServerName> servers,
      HBaseErrors errors) {
    this.call = call;
    this.servers = servers;
    this.errors = errors;
  }

  /**
   * The time of a region server: that of the row's server, unless a server's time was requested
   * recently. Never ahead of the server's clock.
   */
  long now(Family family, byte[] row) {
    Reading known = last;
    return (known == null || !known.isValid() ? ask(family, row) : known).now();
  }

  /**
   * The time of the row's server, possibly one requested recently for another row; or that of any
   * server if the given time is over on all servers. Never ahead of the server's clock, unless the
   * region has just moved.
   */
  long known(Family family, byte[] row, long time) {
    long now = now(family, row);
    if (now - MAX_SKEW_MILLIS > time) {
      return now;
    }
    Reading known = readings.get(servers.apply(family, row));
    return (known == null || !known.isValid() ? ask(family, row) : known).now();
  }

  /**
   * As {@link org.hourstone.kv.StoreClock#isPast}. The request for the time is a write, but without
   * effect, so its failure is never UNKNOWN.
   */
  boolean isPast(Family family, byte[] row, long time) {
    try {
      return known(family, row, time) > time;
    } catch (StoreException e) {
      throw HBaseErrors.before(e);
    }
  }

  /**
   * The time of the row's own server, or of any server if the given time is over on all servers.
   */
  long now(Family family, byte[] row, long time) {
    long now = now(family, row);
    return now - MAX_SKEW_MILLIS > time ? now : ask(family, row).now();
  }

  /**
   * Waits until the row's server dates all its writes later than this time.
   *
   * @throws StoreException REJECTED if the time is too far ahead to wait for
   */
  void awaitLater(Family family, byte[] row, long time) {
    long ahead = time - now(family, row, time);
    if (ahead > MAX_WAIT.toMillis()) {
      throw errors.rejected(
          "cannot delete from %s: a cell of row %s is dated %d ms ahead of the server's clock, and"
                  .formatted(family, new Bytes(row), ahead)
              + " would hide writes until then");
    }
    if (ahead >= 0) {
      pause(family, ahead + 1);
    }
  }

  /**
   * Waits until the server's clock has advanced by at least a millisecond; the client's clock does
   * not matter.
   */
  void tick(Family family) {
    pause(family, 2);
  }

  private void pause(Family family, long millis) {
    try {
      long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
      for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
        TimeUnit.NANOSECONDS.sleep(left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw errors.write(family, e);
    }
  }

  private Reading ask(Family family, byte[] row) {
    for (int i = 0; i < MOST_ATTEMPTS; i++) {
      Result result = call.apply(family, touch(Names.bytes(family), row.clone()));
      // If the client has repeated a call, the response may lack the result of the first attempt.
      if (!result.isEmpty()) {
        Reading reading = new Reading(result.rawCells()[0].getTimestamp(), System.nanoTime());
        readings.put(servers.apply(family, row), reading);
        last = reading;
        return reading;
      }
    }
    throw errors.notApplied(family, new IOException("the server does not report its time"));
  }

  private static RowMutations touch(byte[] family, byte[] row) {
    Increment increment = new Increment(row).addColumn(family, COUNTER, 1);
    Delete delete = new Delete(row).addColumns(family, COUNTER);
    increment.setDurability(Durability.SKIP_WAL);
    delete.setDurability(Durability.SKIP_WAL);
    try {
      return RowMutations.of(List.of(increment, delete));
    } catch (IOException e) {
      throw new UncheckedIOException(e); // thrown if rows differ; they don't
    }
  }
}
