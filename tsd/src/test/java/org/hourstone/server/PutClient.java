package org.hourstone.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.Semaphore;
import org.hourstone.Tsdb;
import org.hourstone.query.Query;
import org.hourstone.query.SeriesCursor;

/**
 * A client that puts points of several series by HTTP, and knows which of them are acknowledged. It
 * goes on with another daemon after one has died. Each request has a point of each series; its
 * number is their value.
 */
final class PutClient {
  private static final int SERIES = 3;
  private static final long START = 1_500_000_000L;

  /** So rows are complete after some requests, and are written. */
  private static final int STEP_SECONDS = 60;

  private final int number;
  private final BitSet acknowledged = new BitSet();
  private int sent;

  PutClient(int number) {
    this.number = number;
  }

  /**
   * Puts points until the daemon ends the connection.
   *
   * @param acknowledgements is released once for each, and without a bound in the end
   */
  Callable<Void> putting(InetSocketAddress daemon, Semaphore acknowledgements) {
    return () -> {
      try (Client client = new Client(daemon)) {
        while (true) {
          client.sendRequest("POST", "/api/put", "", body(sent++).getBytes(UTF_8));
          assertThat(client.response().status()).isEqualTo(204);
          acknowledged.set(sent - 1);
          acknowledgements.release();
        }
      } catch (IOException closed) {
        return null; // as it must be in the end
      } finally {
        acknowledgements.release(1_000_000);
      }
    };
  }

  private String body(int request) {
    List<String> points = new ArrayList<>();
    for (int series = 0; series < SERIES; series++) {
      points.add(
          "{\"metric\":\"m\",\"timestamp\":%d,\"value\":%d,\"tags\":{\"h\":\"%s\"}}"
              .formatted(START + (long) request * STEP_SECONDS, request, host(series)));
    }
    return points.toString();
  }

  private String host(int series) {
    return "client" + number + "series" + series;
  }

  int acknowledged() {
    return acknowledged.cardinality();
  }

  /** Each point that was acknowledged is there, and none that was not sent. */
  void check(Tsdb db, String when) {
    for (int series = 0; series < SERIES; series++) {
      String host = host(series);
      BitSet found = new BitSet();
      read(db, host)
          .forEach(
              (time, value) -> {
                int request = value.intValue();
                assertThat(time).isEqualTo((START + (long) request * STEP_SECONDS) * 1000);
                assertThat(request).isLessThan(sent);
                found.set(request);
              });
      BitSet lost = (BitSet) acknowledged.clone();
      lost.andNot(found);
      assertThat(lost).as("lost points of %s, %s", host, when).isEqualTo(new BitSet());
    }
  }

  private static Map<Long, Double> read(Tsdb db, String host) {
    Map<Long, Double> points = new TreeMap<>();
    try (SeriesCursor series = db.query(Query.parse("none:m{h=" + host + "}"))) {
      series.forEach(
          one -> {
            for (int i = 0; i < one.size(); i++) {
              points.put(one.millis(i), one.doubleValue(i));
            }
          });
    }
    return points;
  }
}
