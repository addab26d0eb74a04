package org.hourstone.tsd;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.BitSet;
import java.util.StringJoiner;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.hourstone.Tsdb;
import org.hourstone.query.Query;
import org.hourstone.query.SeriesCursor;
import org.hourstone.server.Client;
import org.jspecify.annotations.Nullable;

/**
 * A client that puts points of one series by HTTP, also while they are refused, and knows which of
 * them are acknowledged. A request has some points; its number is their value.
 */
final class TroubledClient implements Runnable {
  private static final int POINTS = 100;
  private static final int STEP_SECONDS = 10;
  private static final long START = 1_400_000_000L;

  private final String host;
  private final InetSocketAddress daemon;
  private final History history;
  private volatile boolean isStopped;
  private volatile @Nullable Throwable failure;

  /** What became of the requests of a series, of several clients one after the other. */
  static final class History {
    private final BitSet acknowledged = new BitSet();
    private int sent;
    private volatile int lastAcknowledged = -1;
    private volatile int next;
    private final AtomicInteger refused = new AtomicInteger();
    private volatile long longestNanos;

    /** The number of the next request. */
    int next() {
      return next;
    }

    int lastAcknowledged() {
      return lastAcknowledged;
    }

    /** How many requests were not acknowledged. */
    int refused() {
      return refused.get();
    }

    /** The longest time to a response. */
    long longestNanos() {
      return longestNanos;
    }

    int acknowledged() {
      return acknowledged.cardinality() * POINTS;
    }
  }

  TroubledClient(int number, InetSocketAddress daemon, History history) {
    this.host = "client" + number;
    this.daemon = daemon;
    this.history = history;
  }

  @Override
  public void run() {
    try (Client client = new Client(daemon)) {
      while (!isStopped) {
        int request = history.sent++;
        history.next = history.sent;
        long begin = System.nanoTime();
        client.sendRequest("POST", "/api/put", "", body(request).getBytes(UTF_8));
        int status = client.response().status();
        history.longestNanos = Math.max(history.longestNanos, System.nanoTime() - begin);
        if (status == 204) {
          history.acknowledged.set(request);
          history.lastAcknowledged = request;
        } else {
          history.refused.incrementAndGet();
          LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
      }
    } catch (IOException | RuntimeException e) {
      failure = isStopped ? null : e;
    }
  }

  void stop() {
    isStopped = true;
  }

  /** Why it has ended without being stopped; null if it has not. */
  @Nullable Throwable failure() {
    return failure;
  }

  private String body(int request) {
    StringJoiner points = new StringJoiner(",", "[", "]");
    for (int point = 0; point < POINTS; point++) {
      points.add(
          "{\"metric\":\"m\",\"timestamp\":%d,\"value\":%d,\"tags\":{\"h\":\"%s\"}}"
              .formatted(START + (request * (long) POINTS + point) * STEP_SECONDS, request, host));
    }
    return points.toString();
  }

  /** All points that were acknowledged are there, and none that was not sent. */
  static void check(Tsdb db, int number, History history, String when) {
    int[] found = new int[history.sent];
    try (SeriesCursor series = db.query(Query.parse("none:m{h=client" + number + "}"))) {
      series.forEach(
          one -> {
            for (int i = 0; i < one.size(); i++) {
              int request = (int) one.doubleValue(i);
              long point = (one.millis(i) / 1000 - START) / STEP_SECONDS;
              assertThat(point / POINTS).as("request of a point, %s", when).isEqualTo(request);
              assertThat(request).as("request that was sent, %s", when).isLessThan(found.length);
              found[request]++;
            }
          });
    }
    BitSet lost = new BitSet();
    for (int request = 0; request < found.length; request++) {
      if (history.acknowledged.get(request) && found[request] != POINTS) {
        lost.set(request);
      }
    }
    assertThat(lost).as("requests of which points are lost, %s", when).isEqualTo(new BitSet());
  }
}
