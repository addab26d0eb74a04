package org.hourstone.tsd.session;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import org.hourstone.DaemonSettings;
import org.hourstone.TsdbOptions;
import org.hourstone.kv.StoreException;
import org.hourstone.write.SingleLine;
import org.jspecify.annotations.Nullable;

/** Has a daemon execute a command as a job, and shows what it does. For one thread. */
public final class JobClient {
  /** The variable with a token of an account. */
  private static final String TOKEN = "HOURSTONE_TOKEN";

  private static final String IN_USE = "in use by another process";
  private static final String JOBS = "/api/admin/jobs";
  private static final int POLL_MILLIS = 300;

  private final Session session;
  private final String server;
  private final @Nullable String authorization;
  private final HttpClient http = HttpClient.newHttpClient();

  /**
   * @param url of the daemon, such as {@code http://user:password@db1:4242}
   */
  public JobClient(Session session, String url) {
    this.session = session;
    URI uri;
    try {
      uri = URI.create(url);
    } catch (IllegalArgumentException e) {
      throw new UsageException("--server " + url + ": not a URL");
    }
    if (!("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))
        || uri.getHost() == null) {
      throw new UsageException("--server " + url + ": not of the form http://HOST:PORT");
    }
    String path = uri.getRawPath() == null ? "" : uri.getRawPath().replaceFirst("/$", "");
    this.server =
        uri.getScheme()
            + "://"
            + uri.getHost()
            + (uri.getPort() < 0 ? "" : ":" + uri.getPort())
            + path;
    String token = session.streams().environment().getOrDefault(TOKEN, "");
    String user = uri.getUserInfo();
    this.authorization =
        user != null
            ? "Basic " + Base64.getEncoder().encodeToString(user.getBytes(StandardCharsets.UTF_8))
            : token.isEmpty() ? null : "Bearer " + token;
  }

  /** Whether a store can't be opened since another process has it open. */
  public static boolean isInUse(StoreException e) {
    return String.valueOf(e.getMessage()).contains(IN_USE);
  }

  /**
   * For the daemon that has the given store open and listens where the settings say.
   *
   * @param inUse why the store can't be opened here; thrown if there is no such daemon
   */
  public static JobClient ofStore(Session session, StoreException inUse) {
    TsdbOptions options = session.settings().options();
    String bind = options.get(DaemonSettings.BIND);
    boolean isAny = bind.isEmpty() || bind.equals("0.0.0.0") || bind.equals("::");
    boolean isTls = !options.get(DaemonSettings.TLS_CERTIFICATE).isEmpty();
    String url =
        (isTls ? "https://" : "http://")
            + (isAny ? "localhost" : bind.contains(":") ? "[" + bind + "]" : bind)
            + ":"
            + options.get(DaemonSettings.PORT);
    JobClient client = new JobClient(session, url);
    String hint = "; --server URL names the daemon that has it open";
    String store;
    try {
      store = client.send("GET", JOBS, null).path("store").asText();
    } catch (CommandException e) {
      throw new CommandException(inUse.getMessage() + hint + " (" + e.getMessage() + ")", inUse);
    }
    if (!store.equals(DaemonJobs.place(session.settings().storeUri()))) {
      throw new CommandException(
          inUse.getMessage() + hint + " (" + url + " has " + store + " open)", inUse);
    }
    session.report("the store is in use: " + url + " executes the command, with its own settings");
    return client;
  }

  /**
   * Runs a command.
   *
   * @return whether it succeeded completely
   */
  public boolean run(JobCommand command) {
    ObjectNode request = new ObjectMapper().createObjectNode();
    command.words().forEach(request.putArray("command")::add);
    return follow(send("POST", JOBS, request).path("id").asLong());
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
    return follow(send("POST", "/api/admin/backup", request).path("id").asLong());
  }

  private boolean follow(long id) {
    session
        .ending()
        .whenStopped(
            () ->
                "hourstone: job "
                    + id
                    + " goes on; to cancel it: curl -X DELETE '"
                    + server
                    + JOBS
                    + "?id="
                    + id
                    + "'");
    long shown = 0;
    while (true) {
      JsonNode job = send("GET", JOBS + "?id=" + id + "&from=" + shown, null);
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

  private JsonNode send(String method, String path, @Nullable ObjectNode body) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(server + path))
            .method(
                method,
                body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body.toString()));
    if (authorization != null) {
      request.header("Authorization", authorization);
    }
    try {
      HttpResponse<String> response = http.send(request.build(), BodyHandlers.ofString());
      if (response.statusCode() >= 400) {
        throw new CommandException(server + ": " + refusal(response));
      }
      return new ObjectMapper().readTree(response.body());
    } catch (IOException e) {
      throw new CommandException(server + " does not respond: " + reason(e), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandException("interrupted", e);
    }
  }

  private static String reason(IOException e) {
    return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
  }

  private static String refusal(HttpResponse<String> response) throws IOException {
    String status = "status " + response.statusCode();
    if (!response.headers().firstValue("content-type").orElse("").startsWith("application/json")) {
      return status;
    }
    JsonNode error = new ObjectMapper().readTree(response.body()).path("error");
    String details = error.path("details").asText("");
    String message = error.path("message").asText(status);
    String hint = response.statusCode() == 401 ? " (" + TOKEN + " may have a token)" : "";
    return SingleLine.of(details.isEmpty() ? message : message + ": " + details) + hint;
  }
}
