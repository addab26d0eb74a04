package org.hourstone.server;

import java.lang.System.Logger.Level;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads that handle requests, and may wait for the store or for a client. HTTP requests have
 * a bounded queue. Telnet lines have threads of their own, so that queries don't delay points;
 * their queue is bounded since a connection hands over one batch of lines at a time.
 */
final class RequestThreads implements AutoCloseable {
  private static final int TELNET_THREADS = 4;
  private static final long IDLE_SECONDS = 60;
  private static final long END_SECONDS = 5;
  private static final System.Logger LOG = System.getLogger("org.hourstone.server");

  private final ThreadPoolExecutor http;
  private final ExecutorService telnet;

  RequestThreads(int threads, int waiting) {
    http =
        new ThreadPoolExecutor(
            threads,
            threads,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(waiting),
            named("http"));
    http.allowCoreThreadTimeOut(true);
    telnet = Executors.newFixedThreadPool(TELNET_THREADS, named("telnet"));
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
   * @throws java.util.concurrent.RejectedExecutionException if too many requests wait
   */
  void http(Runnable request) {
    http.execute(request);
  }

  void telnet(Runnable lines) {
    telnet.execute(lines);
  }

  /** Ends what is in progress; the database may be closed after that. */
  @Override
  public void close() {
    http.shutdownNow();
    telnet.shutdownNow();
    try {
      boolean ended =
          http.awaitTermination(END_SECONDS, TimeUnit.SECONDS)
              && telnet.awaitTermination(END_SECONDS, TimeUnit.SECONDS);
      if (!ended) {
        LOG.log(Level.WARNING, "requests go on though the server has stopped");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
