package org.hourstone.server;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.hourstone.api.request.ServerInfo.Statistic;

/**
 * The memory for clients, in shares, and how often clients were slowed down or refused because of
 * these limits and those of threads. Each kind is also logged, at most once a minute. Thread-safe.
 */
final class ClientLimits {
  private static final System.Logger LOG = System.getLogger("org.hourstone.server");
  private static final long LOG_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** The consequence of a limit for a client. */
  enum Limited {
    READING("reading", "a connection is not read until there is room for more unhandled bytes"),
    STUCK("stuck", "a connection with a part of a line or head is closed: others need its room"),
    HEAD("head", "a request is refused: there is no room for its head"),
    BODY("body", "a request is refused: there is no room for its body"),
    RESPONSE_BODY("response_body", "a request is refused: there is no room for its response"),
    RESPONSE("response", "a response is sent in small pieces: there is no room for larger ones"),
    THREAD("thread", "a request is refused: too many wait for a thread"),
    TURN("turn", "a request for a stored text or a large put waits for others of its kind"),
    CONNECTION("connection", "a connection is refused: there are too many"),
    /** This is logged when it begins and when it ends. */
    ACCEPTING("accepting", "");

    private final String type;
    private final String text;

    Limited(String type, String text) {
      this.type = type;
      this.text = text;
    }
  }

  private static final class Count {
    private final LongAdder number = new LongAdder();
    private final AtomicLong nextLog;
    private volatile long logged;

    Count(long now) {
      nextLog = new AtomicLong(now);
    }
  }

  /** Shares are upper bounds, as divisors of the whole; all together may be more. */
  private static final int CONNECTIONS = 2;

  private static final int UNHANDLED = 4;
  private static final int RESPONSES = 4;

  /** What is left for small bodies. */
  private static final int SMALL_BODIES = 8;

  private final long bytes;
  private final ClientMemory whole;
  private final ClientMemory connections;
  private final ClientMemory unhandled;
  private final ClientMemory responses;
  private final ClientMemory known;
  private final ClientMemory strangers;
  private final LongSupplier nanoTime;
  private final Map<Limited, Count> counts = new EnumMap<>(Limited.class);

  /**
   * @param bytes the memory for all clients
   */
  ClientLimits(long bytes, LongSupplier nanoTime) {
    this.bytes = bytes;
    this.whole = new ClientMemory(bytes);
    this.connections = whole.share(bytes / CONNECTIONS);
    this.unhandled = whole.share(bytes / UNHANDLED);
    this.responses = whole.share(bytes / RESPONSES);
    long small = bytes / SMALL_BODIES;
    this.known = whole.share(bytes).reserving(small);
    this.strangers = whole.share(bytes / 2).reserving(small);
    this.nanoTime = nanoTime;
    for (Limited each : Limited.values()) {
      counts.put(each, new Count(nanoTime.getAsLong()));
    }
  }

  ClientLimits(long bytes) {
    this(bytes, System::nanoTime);
  }

  /** For the fixed size of open connections. */
  ClientMemory connections() {
    return connections;
  }

  /** For received bytes that were not handled yet, except those of bodies. */
  ClientMemory unhandled() {
    return unhandled;
  }

  /** For responses that clients have not accepted. */
  ClientMemory responses() {
    return responses;
  }

  /**
   * For bodies.
   *
   * @param isKnown whether the client is authenticated; others, which may keep it for a long time,
   *     can use only half
   */
  ClientMemory bodies(boolean isKnown) {
    return isKnown ? known : strangers;
  }

  /** Counts a consequence of a limit. */
  void count(Limited why) {
    Count count = Objects.requireNonNull(counts.get(why));
    count.number.increment();
    if (why.text.isEmpty()) {
      return;
    }
    long now = nanoTime.getAsLong();
    long next = count.nextLog.get();
    if (now - next >= 0 && count.nextLog.compareAndSet(next, now + LOG_NANOS)) {
      long number = count.number.sum();
      long since = number - count.logged;
      count.logged = number;
      LOG.log(
          Level.WARNING,
          why.text
              + " ("
              + (since > 1 ? since + " times since the last message; " : "")
              + "clients use "
              + whole.taken()
              + " of "
              + bytes
              + " bytes)");
    }
  }

  List<Statistic> statistics() {
    List<Statistic> all = new ArrayList<>();
    counts.forEach(
        (why, count) ->
            all.add(
                new Statistic(
                    "connectionmgr.limited", count.number.sum(), Map.of("type", why.type))));
    String memory = "connectionmgr.memory";
    all.add(new Statistic(memory, whole.taken(), Map.of("type", "used")));
    all.add(new Statistic(memory, bytes, Map.of("type", "limit")));
    return all;
  }
}
