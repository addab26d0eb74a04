package org.hourstone.server;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The threads that handle requests, and may wait for the store or for a client. Each {@linkplain
 * Kind kind} of HTTP requests, and telnet lines, have their own threads, so that queries delay
 * neither points nor their own cancellation, a store that does not answer does not prevent
 * monitoring, and requests that wait for each other delay only their own kind: none but those of
 * {@link Kind#OTHER} may use its threads, and these wait only for the store, their client and a
 * processor. The queues of HTTP requests are bounded. The queue of telnet lines is bounded because
 * a connection hands over one batch at a time.
 */
final class RequestThreads implements AutoCloseable {
  /** The kind of a request, by what it may wait for. */
  enum Kind {
    /** It may read for a long time, and rests so that others that do can run, on more threads. */
    QUERY,
    /** It handles a stored text, which may be large in memory, so only few do at once. */
    TEXT,
    /** A block of points of a large body, which waits until others' blocks are stored. */
    LARGE_PUT,
    /** It never waits for the store. */
    MONITORING,
    /** Points, and everything else. */
    OTHER
  }

  private static final int TELNET_THREADS = 4;
  private static final int MONITORING_THREADS = 2;

  /** The fraction of the threads for requests that wait for each other. */
  private static final int WAITING_SHARE = 4;

  /** So that one that sends a response to a slow client doesn't keep all others waiting. */
  private static final int LEAST_SHARE = 2;

  private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final long END_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final System.Logger LOG = System.getLogger("org.hourstone.server");

  private final Map<Kind, ThreadStack> http = new EnumMap<>(Kind.class);
  private final Map<Kind, SlowClients> slow = new EnumMap<>(Kind.class);
  private final ThreadStack telnet;

  /**
   * @param threads the number of threads for queries, and for other HTTP requests; a quarter of it
   *     for each kind whose requests wait for each other
   * @param waiting the maximum number of requests of each kind that wait for a thread
   */
  RequestThreads(int threads, int waiting) {
    int share = Math.max(LEAST_SHARE, threads / WAITING_SHARE);
    add(Kind.QUERY, threads, waiting, "query");
    add(Kind.TEXT, share, waiting, "text");
    add(Kind.LARGE_PUT, share, waiting, "large-put");
    add(Kind.MONITORING, MONITORING_THREADS, waiting, "monitoring");
    add(Kind.OTHER, threads, waiting, "http");
    telnet = new ThreadStack(TELNET_THREADS, Integer.MAX_VALUE, IDLE_NANOS, named("telnet"));
  }

  private void add(Kind kind, int threads, int waiting, String name) {
    ThreadStack stack = new ThreadStack(threads, waiting, IDLE_NANOS, named(name));
    http.put(kind, stack);
    slow.put(kind, new SlowClients(stack));
  }

  private static ThreadFactory named(String kind) {
    AtomicInteger number = new AtomicInteger();
    return task -> {
      Thread thread = new Thread(task, "hourstone-" + kind + "-" + number.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }

  /**
   * @throws RejectedExecutionException if too many requests wait
   */
  void http(Kind kind, Runnable request) {
    required(http.get(kind)).execute(request);
    slowClients(kind).giveUpIfThreadsAreShort();
  }

  /** As {@link #http}, for the rest of a request in progress: after those that wait. */
  void httpLater(Kind kind, Runnable request) {
    required(http.get(kind)).executeLater(request);
    slowClients(kind).giveUpIfThreadsAreShort();
  }

  /** A request that is handled waits for its turn; others are handled in its place. */
  void rest(Kind kind) {
    required(http.get(kind)).rest();
  }

  /** The end of {@link #rest}. */
  void resume(Kind kind) {
    required(http.get(kind)).resume();
  }

  /** Whether requests of a kind wait for a thread. */
  boolean areAwaited(Kind kind) {
    return required(http.get(kind)).waiting() > 0;
  }

  /** The clients for which requests of a kind wait. */
  SlowClients slowClients(Kind kind) {
    return required(slow.get(kind));
  }

  /**
   * Executes lines of a connection.
   *
   * @param isMonitoring whether no line may wait for the store
   * @param later whether lines of other connections have their turn first
   */
  void telnet(boolean isMonitoring, boolean later, Runnable lines) {
    if (isMonitoring) {
      try {
        required(http.get(Kind.MONITORING)).execute(lines);
        return;
      } catch (RejectedExecutionException full) {
        // They wait for another thread.
      }
    }
    if (later) {
      telnet.executeLater(lines);
    } else {
      telnet.execute(lines);
    }
  }

  private static <T> T required(@Nullable T value) {
    return Objects.requireNonNull(value);
  }

  /** Ends the requests in progress; the database may be closed after that. */
  @Override
  public void close() {
    List<ThreadStack> all = new ArrayList<>(http.values());
    all.add(telnet);
    all.forEach(ThreadStack::stop);
    try {
      boolean ended = true;
      for (ThreadStack one : all) {
        ended &= one.awaitEnd(END_NANOS);
      }
      if (!ended) {
        LOG.log(Level.WARNING, "requests are still running after the server has stopped");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
