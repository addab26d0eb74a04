package org.hourstone.api.status;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.hourstone.api.endpoint.Failures;
import org.hourstone.api.request.ApiException;
import org.hourstone.api.request.JobCommands.Work;
import org.hourstone.api.request.ServerInfo.Statistic;
import org.hourstone.internal.OutOfMemoryReport;
import org.hourstone.write.SingleLine;
import org.jspecify.annotations.Nullable;

/**
 * The jobs of a server: long work on the whole store, which clients begin, list and cancel. One of
 * a kind runs at a time, each on a thread of its own; the log has a line for each begin and end.
 * Thread-safe.
 */
public final class Jobs implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger("org.hourstone.job");

  /** How many that have ended are listed. */
  static final int MOST_ENDED = 50;

  private static final Duration MOST_WAITED = Duration.ofSeconds(10);

  private final InstantSource clock;

  // Guarded by this.

  private final Map<String, Job> running = new TreeMap<>();
  private final Deque<Job> ended = new ArrayDeque<>();
  private final Map<String, Map<Job.State, Long>> counts = new TreeMap<>();
  private final Map<String, Instant> succeeded = new TreeMap<>();
  private final Set<String> expected = new TreeSet<>();

  /**
   * An id is the time at which the job began, in milliseconds, or one more than the id before: a
   * client that asks a daemon which was restarted must not get another job.
   */
  private long lastId;

  private boolean closed;

  public Jobs(InstantSource clock) {
    this.clock = clock;
  }

  /**
   * Begins a job.
   *
   * @param command for people
   * @throws ApiException 409 if one of the kind runs, 503 if the server is being stopped
   */
  Job begin(String kind, String command, String client, Work work) {
    Job job;
    synchronized (this) {
      if (closed) {
        throw new ApiException(ApiException.UNAVAILABLE, "The server is being stopped");
      }
      Job other = running.get(kind);
      if (other != null) {
        throw new ApiException(
            ApiException.CONFLICT,
            "A job of this kind is in progress",
            "job " + other.id() + ": " + other.command());
      }
      lastId = Math.max(lastId + 1, clock.millis());
      job = new Job(lastId, kind, command, client, clock.instant());
      running.put(kind, job);
    }
    LOG.log(
        Level.INFO,
        "job "
            + job.id()
            + " begins: "
            + SingleLine.of(command)
            + (client.isEmpty() ? "" : ", for " + SingleLine.of(client)));
    Thread thread = new Thread(() -> run(job, work), "hourstone-job-" + job.id());
    thread.setDaemon(true);
    thread.start();
    return job;
  }

  private void run(Job job, Work work) {
    Job.State state = Job.State.FAILED;
    try {
      state = work.run(job) ? Job.State.DONE : Job.State.INCOMPLETE;
    } catch (RuntimeException e) {
      if (!job.isCancelled() && !(e instanceof ApiException)) {
        Failures.logUnlessForeseen(e);
      }
      job.line(e instanceof ApiException own ? text(own) : String.valueOf(e.getMessage()));
    } catch (OutOfMemoryError e) {
      OutOfMemoryReport.report(e);
      job.line("out of memory");
    } finally {
      end(job, job.isCancelled() && state != Job.State.DONE ? Job.State.CANCELLED : state);
    }
  }

  private static String text(ApiException e) {
    return e.details().isEmpty() ? e.getMessage() : e.getMessage() + ": " + e.details();
  }

  private void end(Job job, Job.State state) {
    Instant now = clock.instant();
    synchronized (this) {
      running.remove(job.kind());
      ended.forEach(Job::shorten);
      ended.addFirst(job);
      if (ended.size() > MOST_ENDED) {
        ended.removeLast();
      }
      counts
          .computeIfAbsent(job.kind(), kind -> new EnumMap<>(Job.State.class))
          .merge(state, 1L, Long::sum);
      if (state == Job.State.DONE) {
        succeeded.put(job.kind(), now);
      }
    }
    boolean isWell = state == Job.State.DONE || state == Job.State.CANCELLED;
    LOG.log(
        isWell ? Level.INFO : Level.WARNING,
        "job "
            + job.id()
            + " is "
            + state.text()
            + " after "
            + Duration.between(job.started(), now).toSeconds()
            + " s: "
            + SingleLine.of(job.command())
            + (job.lastLine().isEmpty() ? "" : ": " + job.lastLine()));
    job.end(state, now);
  }

  /**
   * Declares that a job of a kind has succeeded before this process began, for the statistics; no
   * effect if one has since.
   */
  public synchronized void succeeded(String kind, Instant when) {
    succeeded.putIfAbsent(kind, when);
  }

  /**
   * Declares that jobs of a kind are meant to be done again and again, for the statistics: without
   * one that succeeds there is nothing to see.
   */
  public synchronized void expect(String kind) {
    expected.add(kind);
  }

  /** Those that run, and then those that have ended, the newest first. */
  synchronized List<Job> list() {
    List<Job> all = new ArrayList<>(running.values());
    all.addAll(ended);
    return all;
  }

  /** The job with an id; null if the id is unknown, or the job ended long ago. */
  @Nullable Job find(long id) {
    return list().stream().filter(job -> job.id() == id).findFirst().orElse(null);
  }

  public synchronized List<Statistic> statistics() {
    List<Statistic> all = new ArrayList<>();
    counts.forEach(
        (kind, states) ->
            states.forEach(
                (state, count) ->
                    all.add(
                        new Statistic(
                            "jobs.ended",
                            count,
                            Map.of("kind", tag(kind), "state", state.text())))));
    succeeded.forEach(
        (kind, when) ->
            all.add(
                new Statistic(
                    "job.last_seconds", when.getEpochSecond(), Map.of("kind", tag(kind)))));
    expected.forEach(kind -> all.add(new Statistic("job.expected", 1, Map.of("kind", tag(kind)))));
    running.forEach(
        (kind, job) -> all.add(new Statistic("job.running", 1, Map.of("kind", tag(kind)))));
    return all;
  }

  /** A kind as a tag of points. */
  private static String tag(String kind) {
    return kind.replace(' ', '_');
  }

  /** Cancels all; no others begin. */
  public void stop() {
    List<Job> left;
    synchronized (this) {
      closed = true;
      left = List.copyOf(running.values());
    }
    left.forEach(Job::cancel);
  }

  /**
   * As {@link #stop}, and waits until they have ended, for a time: the database is closed next, and
   * a job that still runs fails at that.
   */
  @Override
  public void close() {
    stop();
    List<Job> left = list().stream().filter(job -> job.ended() == null).toList();
    try {
      Instant until = clock.instant().plus(MOST_WAITED);
      for (Job job : left) {
        if (!job.await(Duration.between(clock.instant(), until))) {
          LOG.log(
              Level.WARNING, "job " + job.id() + " is given up: " + SingleLine.of(job.command()));
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
