package org.hourstone.tsd;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.hourstone.Tsdb;
import org.hourstone.tsd.TroubledClient.History;

/** Clients that put points all the time, at several daemons of one store after the other. */
final class TroubledClients {
  private static final int CLIENTS = 3;
  private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final List<History> histories = new ArrayList<>();
  private final List<TroubledClient> clients = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();

  TroubledClients() {
    for (int client = 0; client < CLIENTS; client++) {
      histories.add(new History());
    }
  }

  void start(DaemonProcess daemon) {
    clients.clear();
    threads.clear();
    for (int number = 0; number < CLIENTS; number++) {
      TroubledClient client = new TroubledClient(number, daemon.address(), histories.get(number));
      clients.add(client);
      threads.add(new Thread(client));
    }
    threads.forEach(Thread::start);
  }

  /** Waits until points are acknowledged that each client sends from now on. */
  void awaitWrites(String after) {
    awaitWrites(after, MOST_NANOS);
  }

  /** As {@link #awaitWrites(String)}, for a limited time. */
  void awaitWrites(String after, long mostNanos) {
    long until = System.nanoTime() + mostNanos;
    int[] next = histories.stream().mapToInt(History::next).toArray();
    for (int client = 0; client < CLIENTS; client++) {
      History history = histories.get(client);
      int first = next[client];
      boolean isBack = awaitOr(() -> history.lastAcknowledged() >= first, until);
      assertThat(clients.get(client).failure()).as("after %s", after).isNull();
      assertThat(isBack).as("writes go on after %s", after).isTrue();
    }
  }

  /** Whether something is so before a time. */
  boolean awaitOr(BooleanSupplier condition, long until) {
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - until > 0
          || clients.stream().anyMatch(client -> client.failure() != null)) {
        return condition.getAsBoolean();
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
    }
    return true;
  }

  /** How many requests were not acknowledged. */
  int refused() {
    return histories.stream().mapToInt(History::refused).sum();
  }

  /** How many points were acknowledged. */
  int acknowledged() {
    return histories.stream().mapToInt(History::acknowledged).sum();
  }

  /** The longest time to a response. */
  long longestNanos() {
    return histories.stream().mapToLong(History::longestNanos).max().orElse(0);
  }

  /** Ends the clients, and the daemon. */
  void end(DaemonProcess daemon, boolean isKilled) throws InterruptedException {
    clients.forEach(TroubledClient::stop);
    if (isKilled) {
      daemon.process().destroyForcibly();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    daemon.process().destroy();
    int status = daemon.awaitEnd();
    if (!isKilled) {
      assertThat(status).as("exit status").isZero();
    }
  }

  /** As {@link TroubledClient#check}, of all. */
  void check(Tsdb db, String when) {
    for (int client = 0; client < CLIENTS; client++) {
      TroubledClient.check(db, client, histories.get(client), when);
    }
  }
}
