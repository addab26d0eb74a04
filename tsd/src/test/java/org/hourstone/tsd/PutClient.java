package org.hourstone.tsd;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.Semaphore;
import org.hourstone.Tsdb;
import org.hourstone.query.Query;
import org.hourstone.query.SeriesCursor;
import org.hourstone.server.Client;
import org.jspecify.annotations.Nullable;

/**
 * A client that puts points of several series by HTTP, and knows which of them are acknowledged. It
 * goes on with another daemon after one has died. Each request has a point of each series; its
 * number is their value. Some requests write the timestamp of an earlier one again.
 */
final class PutClient {
  private static final int SERIES = 3;
  private static final long START = 1_500_000_000L;

  /** So rows are complete after some requests, and are written. */
  private static final int STEP_SECONDS = 60;

  private final int number;
  private final Random random;

  /** Of each request that was sent, by number: the place of its timestamp. */
  private final List<Integer> places = new ArrayList<>();

  private final BitSet acknowledged = new BitSet();
  private int newPlaces;

  private volatile @Nullable Client connection;

  PutClient(int number, long seed) {
    this.number = number;
    this.random = new Random(seed + number);
  }

  /**
   * Puts points until the connection ends.
   *
   * @param acknowledgements is released once for each, and without a bound in the end
   */
  Callable<Void> putting(InetSocketAddress daemon, Semaphore acknowledgements) {
    return () -> {
      try (Client client = new Client(daemon)) {
        connection = client;
        while (true) {
          int request = places.size();
          places.add(place());
          client.sendRequest("POST", "/api/put", "", body(request).getBytes(UTF_8));
          assertThat(client.response().status()).isEqualTo(204);
          acknowledged.set(request);
          acknowledgements.release();
        }
      } catch (IOException closed) {
        return null; // as it must be in the end
      } finally {
        acknowledgements.release(1_000_000);
      }
    };
  }

  /** Ends the connection, without the response that it waits for. */
  void disconnect() throws IOException {
    Client open = connection;
    if (open != null) {
      open.close();
    }
  }

  /** A new one, or one of a recent hour that has a point. */
  private int place() {
    return newPlaces > 0 && random.nextInt(4) == 0
        ? newPlaces - 1 - random.nextInt(Math.min(newPlaces, 90))
        : newPlaces++;
  }

  private String body(int request) {
    List<String> points = new ArrayList<>();
    for (int series = 0; series < SERIES; series++) {
      points.add(
          "{\"metric\":\"m\",\"timestamp\":%d,\"value\":%d,\"tags\":{\"h\":\"%s\"}}"
              .formatted(START + (long) places.get(request) * STEP_SECONDS, request, host(series)));
    }
    return points.toString();
  }

  private String host(int series) {
    return "client" + number + "series" + series;
  }

  int acknowledged() {
    return acknowledged.cardinality();
  }

  /**
   * At each timestamp is the value that was acknowledged last, or one that was sent after it and
   * not acknowledged; and there is no other point.
   */
  void check(Tsdb db, String when) {
    Map<Long, Set<Double>> allowed = new TreeMap<>();
    Set<Long> optional = new HashSet<>();
    for (int request = 0; request < places.size(); request++) {
      long time = (START + (long) places.get(request) * STEP_SECONDS) * 1000;
      Set<Double> values = allowed.computeIfAbsent(time, any -> new HashSet<>());
      if (acknowledged.get(request)) {
        values.clear();
        optional.remove(time);
      } else if (values.isEmpty()) {
        optional.add(time);
      }
      values.add((double) request);
    }
    for (int series = 0; series < SERIES; series++) {
      String host = host(series);
      Map<Long, Double> found = read(db, host);
      assertThat(allowed.keySet())
          .as("timestamps of %s, %s", host, when)
          .containsAll(found.keySet());
      allowed.forEach(
          (time, values) -> {
            Double value = found.get(time);
            assertThat(value == null ? optional.contains(time) : values.contains(value))
                .as("%s at %d of %s, of which %s may be there, %s", value, time, host, values, when)
                .isTrue();
          });
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
