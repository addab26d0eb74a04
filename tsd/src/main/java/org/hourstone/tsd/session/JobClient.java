package org.hourstone.tsd.session;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import org.hourstone.kv.StoreException;

/** Has a daemon execute a command as a job, and shows what it does. For one thread. */
public final class JobClient {
  private static final String IN_USE = "in use by another process";
  private static final int POLL_MILLIS = 300;

  private final Session session;
  private final DaemonClient daemon;

  /**
   * @param url of the daemon, such as {@code http://user:password@db1:4242}
   */
  public JobClient(Session session, String url) {
    this.session = session;
    this.daemon = new DaemonClient(session, url);
  }

  private JobClient(Session session, DaemonClient daemon) {
    this.session = session;
    this.daemon = daemon;
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
    DaemonClient daemon = DaemonClient.ofStore(session, inUse);
    session.report(
        "the store is in use: " + daemon.url() + " executes the command, with its own settings");
    return new JobClient(session, daemon);
  }

  /**
   * Runs a command.
   *
   * @return whether it succeeded completely
   */
  public boolean run(JobCommand command) {
    ObjectNode request = new ObjectMapper().createObjectNode();
    command.words().forEach(request.putArray("command")::add);
    return follow(daemon.send("POST", DaemonClient.JOBS, request).path("id").asLong());
  }

  /**
   * Makes a backup.
   *
   * @param keep 0 for all
   */
  public boolean backup(Path directory, int keep) {
    ObjectNode request = new ObjectMapper().createObjectNode();
    request.put("directory", directory.toAbsolutePath().normalize().toString()).put("wait", false);
    if (keep > 0) {
      request.put("keep", keep);
    }
    return follow(daemon.send("POST", "/api/admin/backup", request).path("id").asLong());
  }

  private boolean follow(long id) {
    session
        .ending()
        .whenStopped(
            () ->
                "hourstone: job "
                    + id
                    + " goes on; to cancel it: curl -X DELETE '"
                    + daemon.url()
                    + DaemonClient.JOBS
                    + "?id="
                    + id
                    + "'");
    long shown = 0;
    while (true) {
      JsonNode job = daemon.send("GET", DaemonClient.JOBS + "?id=" + id + "&from=" + shown, null);
      job.path("output").forEach(line -> session.out().line(line.asText()));
      session.out().flush();
      shown = job.path("lines").asLong();
      String state = job.path("state").asText();
      if (!state.equals("running")) {
        if (!state.equals("done")) {
          session.report("job " + id + " is " + state);
        }
        return state.equals("done");
      }
      String percent = job.has("percent") ? ", " + job.path("percent").asText() + " %" : "";
      session.status().show(() -> "job " + id + percent);
      try {
        Thread.sleep(POLL_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new CommandException("interrupted", e);
      }
    }
  }
}
