package org.hourstone.tsd.session;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Asks a daemon again and again for a job and its output. The job goes on whatever becomes of a
 * request, so one that fails is repeated for a while. For one thread.
 */
final class JobPolls {
  private static final int PAUSE_MILLIS = 300;

  /** From this number of lines in a response on, the next are asked for without a pause. */
  private static final int MANY_LINES = 100;

  private static final int UNKNOWN = 404;
  private static final int SERVER_ERROR = 500;

  private final DaemonClient daemon;
  private final String id;
  private final Duration patience;
  private long nextLine;
  private long missed;
  private boolean pauses;

  /**
   * @param patience for how long a daemon may fail to respond
   */
  JobPolls(DaemonClient daemon, String id, Duration patience) {
    this.daemon = daemon;
    this.id = id;
    this.patience = patience;
  }

  /** Where a daemon has a job. */
  static String path(String id) {
    return DaemonClient.JOBS + "?id=" + id;
  }

  /**
   * The job, with the lines of its output that follow those of the call before. After a call that
   * had few lines it waits for a moment.
   *
   * @throws CommandException if the daemon can't be asked, or does not know the job any more
   */
  JsonNode next() {
    if (pauses) {
      pause();
    }
    JsonNode job = ask();
    long lines = job.path("lines").asLong();
    int output = job.path("output").size();
    missed = Math.max(lines - output - nextLine, 0);
    nextLine = lines;
    pauses = output < MANY_LINES;
    return job;
  }

  /** The number of lines before those of the last call that were dropped before they were read. */
  long missed() {
    return missed;
  }

  private JsonNode ask() {
    long begun = System.nanoTime();
    while (true) {
      String failure;
      CommandException cause = null;
      try {
        HttpResponse<String> response = daemon.exchange("GET", path(id) + "&from=" + nextLine, "");
        if (response.statusCode() == UNKNOWN) {
          throw new CommandException(
              daemon.url()
                  + " has no job "
                  + id
                  + " any more: if the daemon has ended, the job was cancelled");
        }
        if (response.statusCode() < SERVER_ERROR) {
          return daemon.accepted(response);
        }
        failure = daemon.refusal(response);
      } catch (DaemonClient.SilentException e) {
        failure = String.valueOf(e.getMessage());
        cause = e;
      }
      if (System.nanoTime() - begun >= patience.toNanos()) {
        throw lost(failure, cause);
      }
      pause();
    }
  }

  private CommandException lost(String failure, @Nullable CommandException cause) {
    return new CommandException(
        failure
            + "; job "
            + id
            + " goes on, unless the daemon has ended: GET "
            + daemon.url()
            + path(id)
            + " shows it",
        cause);
  }

  private static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandException("interrupted", e);
    }
  }
}
