package org.hourstone.server;

import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads that handle requests, and may wait for the store or for a client. HTTP requests that
 * may take long, all other HTTP requests, and telnet lines each have their own threads, so that
 * queries delay neither points nor their own cancellation. The queues of HTTP requests are bounded.
 * The queue of telnet lines is bounded because a connection hands over one batch at a time.
 */
final class RequestThreads implements AutoCloseable {
  private static final int TELNET_THREADS = 4;
  private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final long END_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final System.Logger LOG = System.getLogger("org.hourstone.server");

  private final ThreadStack queries;
  private final ThreadStack others;
  private final SlowClients slowOfQueries;
  private final SlowClients slowOfOthers;
  private final ThreadStack telnet;

  /**
   * @param threads the number of threads for each kind of HTTP request
   * @param waiting the maximum number of requests of each kind that wait for a thread
   */
  RequestThreads(int threads, int waiting) {
    queries = new ThreadStack(threads, waiting, IDLE_NANOS, named("query"));
    others = new ThreadStack(threads, waiting, IDLE_NANOS, named("http"));
    slowOfQueries = new SlowClients(queries);
    slowOfOthers = new SlowClients(others);
    telnet = new ThreadStack(TELNET_THREADS, Integer.MAX_VALUE, IDLE_NANOS, named("telnet"));
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
   * @param takesLong whether the request may take long
   * @throws java.util.concurrent.RejectedExecutionException if too many requests wait
   */
  void http(boolean takesLong, Runnable request) {
    (takesLong ? queries : others).execute(request);
    slowClients(takesLong).giveUpIfThreadsAreShort();
  }

  /** The clients for which requests of a kind wait. */
  SlowClients slowClients(boolean takesLong) {
    return takesLong ? slowOfQueries : slowOfOthers;
  }

  /**
   * @param later whether lines of other connections have their turn first
   */
  void telnet(boolean later, Runnable lines) {
    if (later) {
      telnet.executeLater(lines);
    } else {
      telnet.execute(lines);
    }
  }

  /** Ends the requests in progress; the database may be closed after that. */
  @Override
  public void close() {
    List<ThreadStack> all = List.of(queries, others, telnet);
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
