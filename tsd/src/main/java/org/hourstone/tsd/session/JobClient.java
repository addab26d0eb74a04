package org.hourstone.tsd.session;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import org.hourstone.kv.StoreException;
import org.hourstone.tsd.terminal.Plurals;

/** Has a daemon execute a command as a job, and shows what it does. For one thread. */
public final class JobClient {
  private static final String IN_USE = "in use by another process";
  private static final String BACKUP = "/api/admin/backup";
  private static final int WRONG = 400;

  /** For how long a daemon that does not respond is asked again. */
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final Session session;
  private final DaemonClient daemon;
  private final Duration patience;

  /** Whether the daemon was not named, but has the store of the command open. */
  private final boolean isOfStore;

  /**
   * @param url of the daemon, such as {@code http://user:password@db1:4242}
   */
  public JobClient(Session session, String url) {
    this(session, new DaemonClient(session, url), PATIENCE, false);
  }

  JobClient(Session session, DaemonClient daemon, Duration patience, boolean isOfStore) {
    this.session = session;
    this.daemon = daemon;
    this.patience = patience;
    this.isOfStore = isOfStore;
  }

  /** Whether a store can't be opened since another process has it open. */
  public static boolean isInUse(StoreException e) {
    return String.valueOf(e.getMessage()).contains(IN_USE);
  }

  /**
   * For the daemon that has the given store open, as {@link DaemonClient#ofStore} finds it.
   *
   * @param inUse why the store can't be opened here; thrown if there is no such daemon
   */
  public static JobClient ofStore(Session session, StoreException inUse) {
    return new JobClient(session, DaemonClient.ofStore(session, inUse), PATIENCE, true);
  }

  /**
   * Runs a command.
   *
   * @return whether it succeeded completely
   * @throws UsageException if the daemon refuses it as wrong, or has other settings than those that
   *     are given for it
   */
  public boolean run(JobCommand command) {
    if (isOfStore) {
      daemon.checkFollows(session.global().unfollowed(false));
    }
    ObjectNode request = new ObjectMapper().createObjectNode();
    command.words().forEach(request.putArray("command")::add);
    return follow(DaemonClient.JOBS, request);
  }

  /**
   * Makes a backup.
   *
   * @param directory of the daemon's machine; if it is relative, below the one that its settings
   *     name
   * @param keep 0 for all
   */
  public boolean backup(Path directory, int keep) {
    if (isOfStore) {
      daemon.checkFollows(session.global().unfollowed(true));
    }
    ObjectNode request = new ObjectMapper().createObjectNode();
    request.put("directory", directory.toString()).put("wait", false);
    if (keep > 0) {
      request.put("keep", keep);
    }
    return follow(BACKUP, request);
  }

  /** Begins a job, and shows its output until it has ended. */
  private boolean follow(String path, ObjectNode request) {
    if (isOfStore) {
      session.report(
          "the store is in use: " + daemon.url() + " executes the command, with its own settings");
    }
    HttpResponse<String> begun = daemon.exchange("POST", path, request.toString());
    if (begun.statusCode() == WRONG && path.equals(DaemonClient.JOBS)) {
      throw new UsageException(daemon.refusal(begun));
    }
    String id = daemon.accepted(begun).path("id").asText();
    session.ending().whenStopped(() -> "hourstone: " + goesOn(id));
    JobPolls polls = new JobPolls(daemon, id, patience);
    while (true) {
      JsonNode job = polls.next();
      if (polls.missed() > 0) {
        session.report(
            Plurals.count(polls.missed(), "line")
                + " of output lost: a daemon keeps only the latest ones of a job");
      }
      job.path("output").forEach(line -> session.out().line(line.asText()));
      session.out().flush();
      String state = job.path("state").asText();
      if (!state.equals("running")) {
        if (!state.equals("done")) {
          session.report("job " + id + " is " + state);
        }
        return state.equals("done");
      }
      String percent = job.has("percent") ? ", " + job.path("percent").asText() + " %" : "";
      session.status().show(() -> "job " + id + percent);
    }
  }

  private String goesOn(String id) {
    return "job "
        + id
        + " goes on; to cancel it: curl -X DELETE '"
        + daemon.url()
        + JobPolls.path(id)
        + "'";
  }
}
