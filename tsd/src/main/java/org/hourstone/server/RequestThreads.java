package org.hourstone.server;

import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads that handle requests, and may wait for the store or for a client. HTTP requests that
 * may take long, all others, and telnet lines have threads of their own, so that queries delay
 * neither points nor their own cancellation. The queues of HTTP requests are bounded; that of
 * telnet lines is, since a connection hands over one batch at a time.
 */
final class RequestThreads implements AutoCloseable {
  private static final int TELNET_THREADS = 4;
  private static final long IDLE_SECONDS = 60;
  private static final long END_SECONDS = 5;
  private static final System.Logger LOG = System.getLogger("org.hourstone.server");

  private final ThreadPoolExecutor queries;
  private final ThreadPoolExecutor others;
  private final SlowClients slowOfQueries;
  private final SlowClients slowOfOthers;
  private final ExecutorService telnet;

  /**
   * @param threads of each kind of HTTP request
   * @param waiting how many of each kind wait for a thread
   */
  RequestThreads(int threads, int waiting) {
    queries = pool(threads, waiting, "query");
    others = pool(threads, waiting, "http");
    slowOfQueries = new SlowClients(queries);
    slowOfOthers = new SlowClients(others);
    telnet = Executors.newFixedThreadPool(TELNET_THREADS, named("telnet"));
  }

  private static ThreadPoolExecutor pool(int threads, int waiting, String name) {
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            threads,
            threads,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(waiting),
            named(name));
    pool.allowCoreThreadTimeOut(true);
    return pool;
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
   * @param takesLong whether it may
   * @throws java.util.concurrent.RejectedExecutionException if too many requests wait
   */
  void http(boolean takesLong, Runnable request) {
    (takesLong ? queries : others).execute(request);
    slowClients(takesLong).giveUpIfThreadsAreShort();
  }

  /** The clients that requests of a kind wait for. */
  SlowClients slowClients(boolean takesLong) {
    return takesLong ? slowOfQueries : slowOfOthers;
  }

  void telnet(Runnable lines) {
    telnet.execute(lines);
  }

  /** Ends what is in progress; the database may be closed after that. */
  @Override
  public void close() {
    List<ExecutorService> all = List.of(queries, others, telnet);
    all.forEach(ExecutorService::shutdownNow);
    try {
      boolean ended = true;
      for (ExecutorService one : all) {
        ended &= one.awaitTermination(END_SECONDS, TimeUnit.SECONDS);
      }
      if (!ended) {
        LOG.log(Level.WARNING, "requests go on though the server has stopped");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
