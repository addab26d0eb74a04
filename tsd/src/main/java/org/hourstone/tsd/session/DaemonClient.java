package org.hourstone.tsd.session;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.hourstone.DaemonSettings;
import org.hourstone.TsdbOptions;
import org.hourstone.kv.StoreException;
import org.hourstone.write.SingleLine;
import org.jspecify.annotations.Nullable;

/** Sends requests to a daemon, with the account that the command line was given. For one thread. */
public final class DaemonClient {
  static final String JOBS = "/api/admin/jobs";

  /** The variable with a token of an account. */
  static final String TOKEN = "HOURSTONE_TOKEN";

  /** The variable with the file of the only certificate that is trusted. */
  static final String CERTIFICATE = "HOURSTONE_CERTIFICATE";

  private static final Duration CONNECTED_WITHIN = Duration.ofSeconds(10);

  /** Longer than a daemon waits for its store. */
  private static final Duration ANSWERED_WITHIN = Duration.ofMinutes(5);

  /**
   * How often a request is sent to a daemon that has no capacity for it and says when to repeat.
   */
  private static final int ATTEMPTS = 30;

  private static final int MOST_SECONDS = 60;
  private static final int OVERLOADED = 503;

  private final String url;
  private final @Nullable String authorization;
  private final HttpClient http;

  /**
   * @param url of the daemon, such as {@code http://user:password@db1:4242}
   */
  public DaemonClient(Session session, String url) {
    this(session, url, "");
  }

  /**
   * @param certificate the file of the only one that is trusted; empty for that which the
   *     environment names, or else that of the host, by an issuer which Java trusts
   */
  private DaemonClient(Session session, String url, String certificate) {
    String named = session.streams().environment().getOrDefault(CERTIFICATE, "");
    String pinned = certificate.isEmpty() ? named : certificate;
    HttpClient.Builder client = HttpClient.newBuilder().connectTimeout(CONNECTED_WITHIN);
    if (!pinned.isEmpty() && url.startsWith("https:")) {
      client.sslContext(PinnedCertificate.client(pinned));
    }
    this.http = client.build();
    ServerUrl given = ServerUrl.of("--server", url);
    this.url = given.base();
    String token = session.streams().environment().getOrDefault(TOKEN, "");
    this.authorization =
        given.authorization() != null || token.isEmpty()
            ? given.authorization()
            : "Bearer " + token;
  }

  /**
   * For the daemon that has the given store open and listens where the settings say, with the
   * certificate that they name: its names are those by which other machines know it.
   *
   * @param inUse why the store can't be opened here; thrown if there is no such daemon
   */
  public static DaemonClient ofStore(Session session, StoreException inUse) {
    TsdbOptions options = session.settings().options();
    String bind = options.get(DaemonSettings.BIND);
    boolean isAny = bind.isEmpty() || bind.equals("0.0.0.0") || bind.equals("::");
    String certificate = options.get(DaemonSettings.TLS_CERTIFICATE);
    String url =
        (certificate.isEmpty() ? "http://" : "https://")
            + (isAny ? "localhost" : bind.contains(":") ? "[" + bind + "]" : bind)
            + ":"
            + options.get(DaemonSettings.PORT);
    String hint = "; --server URL names the daemon that has it open";
    DaemonClient client;
    String store;
    try {
      client = new DaemonClient(session, url, certificate);
      store = client.send("GET", JOBS, null).path("store").asText();
    } catch (CommandException e) {
      throw new CommandException(inUse.getMessage() + hint + " (" + e.getMessage() + ")", inUse);
    }
    if (!store.equals(DaemonJobs.place(session.settings().storeUri()))) {
      throw new CommandException(
          inUse.getMessage() + hint + " (" + url + " has " + store + " open)", inUse);
    }
    return client;
  }

  /** A daemon does not respond. */
  static final class SilentException extends CommandException {
    private static final long serialVersionUID = 1L;

    SilentException(String message, IOException cause) {
      super(message, cause);
    }
  }

  /**
   * Refuses an option that says how a command works, if this daemon is to execute it.
   *
   * @param option null if none is given
   * @throws UsageException if one is given
   */
  public void checkFollows(@Nullable String option) {
    if (option != null) {
      throw new UsageException(
          option
              + ": the store is in use, and "
              + url
              + ", which has it open, executes the command with its own settings");
    }
  }

  /** Its URL, without a user and without a slash at the end. */
  public String url() {
    return url;
  }

  /**
   * The JSON of a response.
   *
   * @throws CommandException if the daemon does not respond, or responds with an error
   */
  JsonNode send(String method, String path, @Nullable JsonNode body) {
    return accepted(exchange(method, path, body == null ? "" : body.toString()));
  }

  /**
   * The JSON of a response.
   *
   * @throws CommandException if it is an error
   */
  JsonNode accepted(HttpResponse<String> response) {
    if (response.statusCode() >= 400) {
      throw new CommandException(refusal(response));
    }
    return json(response);
  }

  /**
   * A response, whatever it says. A request for which the daemon has no capacity is repeated when
   * the daemon says so, which changes nothing if a part of it had an effect.
   *
   * @param body empty for none
   * @throws CommandException if the daemon does not respond
   */
  public HttpResponse<String> exchange(String method, String path, String body) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url + path))
            .version(HttpClient.Version.HTTP_1_1)
            .timeout(ANSWERED_WITHIN)
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    if (authorization != null) {
      request.header("Authorization", authorization);
    }
    try {
      for (int attempt = 1; ; attempt++) {
        HttpResponse<String> response = http.send(request.build(), BodyHandlers.ofString());
        long seconds = response.headers().firstValueAsLong("retry-after").orElse(-1);
        if (response.statusCode() != OVERLOADED || seconds < 0 || attempt == ATTEMPTS) {
          return response;
        }
        TimeUnit.SECONDS.sleep(Math.min(seconds, MOST_SECONDS));
      }
    } catch (IOException e) {
      throw new SilentException(url + " does not respond: " + reason(e), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandException("interrupted", e);
    }
  }

  private static String reason(IOException e) {
    return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
  }

  /** The body of a response; nothing if it is not JSON. */
  public JsonNode json(HttpResponse<String> response) {
    String type = response.headers().firstValue("content-type").orElse("");
    try {
      return new ObjectMapper()
          .readTree(type.startsWith("application/json") ? response.body() : "{}");
    } catch (IOException e) {
      throw new CommandException(url + ": a response that can't be read: " + reason(e), e);
    }
  }

  /** What a response says that is an error. */
  public String refusal(HttpResponse<String> response) {
    JsonNode error = json(response).path("error");
    String details = error.path("details").asText("");
    String message = error.path("message").asText("status " + response.statusCode());
    String hint = response.statusCode() == 401 ? " (" + TOKEN + " may have a token)" : "";
    return url
        + ": "
        + SingleLine.of(details.isEmpty() ? message : message + ": " + details)
        + hint;
  }
}
