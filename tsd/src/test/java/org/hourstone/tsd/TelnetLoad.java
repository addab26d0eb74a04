package org.hourstone.tsd;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.hourstone.Tsdb;
import org.hourstone.query.Query;
import org.hourstone.query.ResultSeries;
import org.hourstone.query.SeriesCursor;
import org.hourstone.server.Client;
import org.jspecify.annotations.Nullable;

/**
 * Points that one connection sends by telnet at a constant rate, in rounds: each has a point of
 * every series, a second after the round before. So what a daemon has acknowledged is known by the
 * number of rounds. The values can't be compressed, and can be computed.
 */
final class TelnetLoad implements AutoCloseable {
  static final int SERIES = 500;

  private static final long START = 1_600_000_000L / 3600 * 3600;
  private static final long MOST_ROUNDS = 1_000_000;
  private static final int TICK_MILLIS = 100;
  private static final int TICKS_PER_SECOND = 1000 / TICK_MILLIS;
  private static final int ENDED = 1_000_000;

  private final long seed;
  private final int roundsPerTick;
  private final Client client;
  private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
  private final Semaphore ticks = new Semaphore(0);
  private final InetSocketAddress daemon;
  private volatile long begun;
  private long acknowledged;
  private volatile @Nullable Throwable failure;

  /**
   * @param rate how many points are sent in a second
   * @param from the number of the first round; those before are acknowledged
   */
  TelnetLoad(InetSocketAddress daemon, long seed, int rate, long from) throws IOException {
    this.seed = seed;
    this.roundsPerTick = Math.max(1, rate / TICKS_PER_SECOND / SERIES);
    this.client = new Client(daemon);
    this.daemon = daemon;
    this.begun = from;
    this.acknowledged = from;
    var unused = thread.scheduleAtFixedRate(this::tick, 0, TICK_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void tick() {
    try {
      StringBuilder lines = new StringBuilder();
      long first = begun;
      for (long round = first; round < first + roundsPerTick; round++) {
        for (int series = 0; series < SERIES; series++) {
          lines
              .append("put load ")
              .append(START + round)
              .append(' ')
              .append(value(series, round))
              .append(" h=")
              .append(series)
              .append('\n');
        }
      }
      begun = first + roundsPerTick;
      client.send(lines.append("version\n").toString());
      assertThat(client.line()).as("the reply after points").startsWith("hourstone ");
      ticks.release();
    } catch (IOException | RuntimeException | Error e) {
      failure = e;
      ticks.release(ENDED);
      throw new IllegalStateException(e); // so that there are no more
    }
  }

  private long value(int series, long round) {
    long mixed = (seed + series * 1_000_003L + round) * 0x9E3779B97F4A7C15L;
    mixed = (mixed ^ (mixed >>> 32)) * 0xD6E8FEB86659FD93L;
    return mixed ^ (mixed >>> 32);
  }

  /** Waits until the points of some more tenths of a second are sent. */
  void awaitTicks(int more) throws InterruptedException {
    ticks.drainPermits();
    ticks.acquire(more);
    assertThat(failure).as("what ended the load").isNull();
  }

  /** The number of rounds of which a point may have been sent. */
  long begun() {
    return begun;
  }

  /**
   * The number of rounds that the daemon has acknowledged completely: points that a query returns
   * are, and those of a series are stored in their order. For one thread.
   */
  long acknowledged() throws IOException {
    List<Long> counts = counts(MOST_ROUNDS);
    if (counts.size() < SERIES) {
      return acknowledged;
    }
    long more = Collections.min(counts);
    assertThat(counts(acknowledged + more))
        .as("points of each series in %d rounds after %d", more, acknowledged)
        .hasSize(SERIES)
        .containsOnly(more);
    acknowledged += more;
    return acknowledged;
  }

  /** Waits until the daemon has acknowledged a number of rounds. */
  void awaitAcknowledged(long rounds) throws IOException {
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
    while (acknowledged() < rounds) {
      assertThat(System.nanoTime() - deadline).as("%d rounds are in time", rounds).isNegative();
    }
  }

  /** How many points each series has from the first round that is not known on, if any. */
  private List<Long> counts(long endRound) throws IOException {
    Client.Response response =
        Client.request(
            daemon,
            "GET",
            "/api/query?start=%d&end=%d&m=none:0all-count:load%%7Bh=*%%7D"
                .formatted(START + acknowledged, START + endRound),
            "");
    List<Long> counts = new ArrayList<>();
    if (response.status() != 400) { // there is no such metric yet
      assertThat(response.status()).as(response.body()).isEqualTo(200);
      for (JsonNode series : new ObjectMapper().readTree(response.body())) {
        series.path("dps").forEach(count -> counts.add(count.asLong())); // or it has none yet
      }
    }
    return counts;
  }

  /**
   * A database has the first rounds, as far as they were acknowledged, and nothing that was not
   * sent.
   *
   * @param least the number of rounds that were acknowledged
   * @param most the number of rounds of which a point may have been sent
   */
  void check(Tsdb db, long least, long most, String when) {
    for (int series = 0; series < SERIES; series++) {
      long round = 0;
      try (SeriesCursor found = db.query(Query.parse("none:load{h=" + series + "}"))) {
        for (ResultSeries one = found.next(); one != null; one = found.next()) {
          for (int i = 0; i < one.size(); i++) {
            if (one.millis(i) != (START + round) * 1000
                || one.longValue(i) != value(series, round)) {
              throw new AssertionError(
                  "series %d has %d at %d instead of round %d, %s"
                      .formatted(series, one.longValue(i), one.millis(i), round, when));
            }
            round++;
          }
        }
      }
      assertThat(round).as("rounds of series %d, %s", series, when).isBetween(least, most);
    }
  }

  /** Ends the sending; fails if it had ended before. */
  void end() throws IOException, InterruptedException {
    awaitTicks(1);
    close();
  }

  @Override
  public void close() throws IOException {
    thread.shutdownNow();
    client.close();
  }
}
