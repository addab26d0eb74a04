package org.hourstone.tsd;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.hourstone.server.Client;
import org.jspecify.annotations.Nullable;

/**
 * Clients that put points by HTTP and by telnet and ask a small query, over and over, and know
 * which points are acknowledged. One that is refused, or whose connection is closed, tries again at
 * once.
 */
final class HonestClients implements AutoCloseable {
  private static final long START = 1_600_000_000;
  static final String HTTP = "honest.http";
  static final String TELNET = "honest.telnet";

  /** How a client connects. */
  interface Connector {
    Client connect() throws IOException;
  }

  /** What one client repeats. */
  private interface Round {
    /** Whether it was served; if not, it was refused. */
    boolean served(Client client) throws IOException;
  }

  private final Connector connector;
  private final BooleanSupplier serves;
  private final ExecutorService threads = Executors.newFixedThreadPool(3);
  private final AtomicLong byHttp = new AtomicLong();
  private final AtomicLong byTelnet = new AtomicLong();
  private final AtomicLong refusals = new AtomicLong();
  private final AtomicLong longestNanos = new AtomicLong();

  /**
   * @param serves whether the server can serve at all; if not, the clients give up
   */
  HonestClients(Connector connector, BooleanSupplier serves) {
    this.connector = connector;
    this.serves = serves;
  }

  /**
   * Each client is served some times.
   *
   * @throws TimeoutException if that takes too long
   */
  void beServed(int rounds, long seconds)
      throws InterruptedException, ExecutionException, TimeoutException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    List<Future<?>> clients = new ArrayList<>();
    for (Round round : List.<Round>of(this::put, this::putLine, this::query)) {
      clients.add(threads.submit(() -> repeat(round, rounds, deadline)));
    }
    for (Future<?> each : clients) {
      each.get();
    }
  }

  private void repeat(Round round, int times, long deadline) {
    @Nullable Client client = null;
    try {
      for (int done = 0; done < times; done++) {
        long begun = System.nanoTime();
        for (boolean served = false; !served; ) {
          if (System.nanoTime() - deadline > 0 || Thread.interrupted() || !serves.getAsBoolean()) {
            throw new IllegalStateException(
                "a client was served only " + done + " times; refused: " + refusals);
          }
          try {
            if (client == null) {
              client = connector.connect();
            }
            served = round.served(client);
          } catch (IOException e) {
            client = closed(client);
          }
          if (!served) {
            refusals.incrementAndGet();
            client = closed(client);
          }
        }
        longestNanos.accumulateAndGet(System.nanoTime() - begun, Math::max);
      }
    } finally {
      closed(client);
    }
  }

  private static @Nullable Client closed(@Nullable Client client) {
    if (client != null) {
      try {
        client.close();
      } catch (IOException e) {
        // The server has closed it.
      }
    }
    return null;
  }

  private boolean put(Client client) throws IOException {
    long number = byHttp.get();
    client.sendRequest(
        "POST",
        "/api/put",
        "",
        "{\"metric\":\"%s\",\"timestamp\":%d,\"value\":%d,\"tags\":{\"h\":\"a\"}}"
            .formatted(HTTP, START + number, number)
            .getBytes(UTF_8));
    if (client.response().status() != 204) {
      return false;
    }
    byHttp.set(number + 1);
    return true;
  }

  private boolean putLine(Client client) throws IOException {
    long number = byTelnet.get();
    client.send("put %s %d %d h=a\nversion\n".formatted(TELNET, START + number, number));
    if (!client.line().startsWith("hourstone ")) {
      return false;
    }
    byTelnet.set(number + 1);
    return true;
  }

  private boolean query(Client client) throws IOException {
    client.sendRequest(
        "GET",
        "/api/query?start=%d&end=%d&m=sum:%s".formatted(START, START + 10, HTTP),
        "",
        new byte[0]);
    int status = client.response().status();
    return status == 200 || status == 400; // 400 before the first point is there
  }

  /** The numbers, which are also their values, of the acknowledged points of a metric. */
  long acknowledged(String metric) {
    return (metric.equals(HTTP) ? byHttp : byTelnet).get();
  }

  /**
   * Whether each acknowledged point of a metric can be read. Points by telnet are acknowledged
   * before they are stored, and a daemon that is busy refuses queries, so it is asked again.
   */
  boolean canRead(String metric, long seconds) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    boolean read = hasAll(metric);
    while (!read && serves.getAsBoolean() && System.nanoTime() - deadline < 0) {
      read = hasAll(metric);
    }
    return read;
  }

  private boolean hasAll(String metric) {
    long count = acknowledged(metric);
    if (count == 0) {
      return true;
    }
    try (Client client = connector.connect()) {
      client.sendRequest(
          "GET",
          "/api/query?start=%d&end=%d&m=sum:%s".formatted(START, START + count, metric),
          "",
          new byte[0]);
      String body = client.response().body();
      for (long number = 0; number < count; number++) {
        if (!body.contains("\"" + (START + number) + "\":" + number)) {
          return false;
        }
      }
      return true;
    } catch (IOException e) {
      return false; // the connection was refused
    }
  }

  /** The longest time until one was served, in milliseconds, since the last call. */
  long longestMillis() {
    return TimeUnit.NANOSECONDS.toMillis(longestNanos.getAndSet(0));
  }

  /** How often one was refused since the last call. */
  long refused() {
    return refusals.getAndSet(0);
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
