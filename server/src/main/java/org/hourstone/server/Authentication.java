package org.hourstone.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.hourstone.DaemonSettings;
import org.hourstone.TsdbOptions;
import org.hourstone.api.request.Role;
import org.jspecify.annotations.Nullable;

/**
 * Authenticates the sender of a request by the header {@code Authorization}: a user with a password
 * (Basic) or the owner of a token (Bearer). Without that header, the token may be in {@code
 * X-Access-Token}, as scollector sends it; clients of InfluxDB have their own ways to send both.
 * Checking a password intentionally takes a tenth of a second. So correct passwords are cached as
 * hashes, and only a few passwords are checked concurrently, so that clients who guess passwords
 * can't use all processors. Thread-safe.
 */
final class Authentication {
  private static final int MOST_REMEMBERED = 1_000;
  private static final String BASIC = "basic";
  private static final String BEARER = "bearer";

  /** As InfluxDB's clients name it: a token, or a user and a password with a colon in between. */
  private static final String INFLUX = "token";

  private static final String TOKEN = "x-access-token";

  /** The endpoints of InfluxDB's version 1, whose clients may send {@code u} and {@code p}. */
  private static final Set<String> PARAMETERS = Set.of("/write", "/query", "/ping");

  private volatile @Nullable Known known;
  private final Semaphore checks =
      new Semaphore(Math.max(1, Runtime.getRuntime().availableProcessors() / 2));

  /**
   * The accounts that count, and the correct passwords that were checked by them; a password that
   * is being checked while the accounts are replaced is not remembered for the new ones.
   */
  private record Known(Accounts accounts, Map<String, Set<Role>> remembered) {
    Known(Accounts accounts) {
      this(accounts, new ConcurrentHashMap<>());
    }
  }

  /**
   * @param accounts the accounts; null if every client may do everything
   */
  Authentication(@Nullable Accounts accounts) {
    this.known = accounts == null ? null : new Known(accounts);
  }

  /**
   * @throws IllegalArgumentException if the settings or the file are invalid
   */
  static Authentication of(TsdbOptions options) {
    return new Authentication(accounts(options));
  }

  /** As {@link #of}; null if every client may do everything. */
  static @Nullable Accounts accounts(TsdbOptions options) {
    if (!options.get(DaemonSettings.AUTHENTICATION)) {
      return null;
    }
    String file = options.get(DaemonSettings.ACCOUNTS);
    if (file.isEmpty()) {
      throw new IllegalArgumentException(
          DaemonSettings.AUTHENTICATION.key() + " needs " + DaemonSettings.ACCOUNTS.key());
    }
    Accounts accounts = Accounts.read(Path.of(file));
    SecretFile.warnIfShared(DaemonSettings.ACCOUNTS, Path.of(file));
    return accounts;
  }

  /** Replaces the accounts. */
  void use(Accounts accounts) {
    known = new Known(accounts);
  }

  boolean isRequired() {
    return known != null;
  }

  /** The sender can't be authenticated now because too many passwords are being checked. */
  static final class BusyException extends Exception {
    private static final long serialVersionUID = 1;
  }

  /** The sender's roles; empty if it is not authenticated. */
  Set<Role> roles(HttpRequest request) throws BusyException {
    Known now = known;
    if (now == null) {
      return Role.all();
    }
    String[] given = given(request);
    Set<Role> roles = known(now, given);
    if (roles == null && given[0].equals(BASIC)) {
      roles = ofPassword(now, given[1]);
    }
    return roles == null ? Set.of() : roles;
  }

  /**
   * Whether the sender of a request is known to have an account, without checking a password. False
   * also if the password is correct but was not checked yet.
   */
  boolean isKnown(HttpRequest request) {
    Known now = known;
    return now == null || known(now, given(request)) != null;
  }

  /** Why a sender is not authenticated, for the log: with the name of its user, if there is one. */
  static String failure(HttpRequest request) {
    String[] given = given(request);
    if (given[0].isEmpty()) {
      return "no credentials";
    }
    String[] pair = given[0].equals(BASIC) ? userAndPassword(given[1]) : new String[0];
    return pair.length < 2 ? "an unknown token" : "wrong user or password, user " + pair[0];
  }

  /** The scheme, in lower case, and the credentials. */
  private static String[] given(HttpRequest request) {
    String authorization = request.headers().get(HttpHeaderNames.AUTHORIZATION, "");
    String token = request.headers().get(TOKEN, "");
    if (authorization.isEmpty() && !token.isEmpty()) {
      return new String[] {BEARER, token.strip()};
    }
    if (authorization.isEmpty() || authorization.strip().equalsIgnoreCase(INFLUX)) {
      return ofParameters(request.uri()); // Vector sends an empty token beside them
    }
    String[] given = authorization.split(" ", 2);
    if (given.length < 2) {
      return new String[] {"", ""};
    }
    String scheme = given[0].toLowerCase(Locale.ROOT);
    String credentials = given[1].strip();
    if (!scheme.equals(INFLUX)) {
      return new String[] {scheme, credentials};
    }
    return credentials.indexOf(':') < 0
        ? new String[] {BEARER, credentials}
        : new String[] {BASIC, base64(credentials.getBytes(ISO_8859_1))}; // as they were sent
  }

  private static String base64(byte[] userAndPassword) {
    return Base64.getEncoder().encodeToString(userAndPassword);
  }

  private static String[] ofParameters(String uri) {
    int question = uri.indexOf('?');
    if (question < 0 || !PARAMETERS.contains(uri.substring(0, question))) {
      return new String[] {"", ""};
    }
    Map<String, List<String>> parameters;
    try {
      parameters = new QueryStringDecoder(uri).parameters();
    } catch (IllegalArgumentException e) { // the response says so
      return new String[] {"", ""};
    }
    List<String> users = parameters.getOrDefault("u", List.of());
    List<String> passwords = parameters.getOrDefault("p", List.of());
    return users.size() != 1 || passwords.size() != 1
        ? new String[] {"", ""}
        : new String[] {BASIC, base64((users.get(0) + ":" + passwords.get(0)).getBytes(UTF_8))};
  }

  private static @Nullable Set<Role> known(Known now, String[] given) {
    return switch (given[0]) {
      case BEARER -> now.accounts.ofToken(given[1]);
      case BASIC -> now.remembered.get(hash(given[1]));
      default -> null;
    };
  }

  private static String hash(String credentials) {
    return Secret.Token.of(credentials).text();
  }

  private @Nullable Set<Role> ofPassword(Known now, String credentials) throws BusyException {
    String[] pair = userAndPassword(credentials);
    if (pair.length < 2) {
      return null;
    }
    if (!checks.tryAcquire()) {
      throw new BusyException();
    }
    Set<Role> roles;
    try {
      roles = now.accounts.ofPassword(pair[0], pair[1]);
    } finally {
      checks.release();
    }
    if (roles != null) {
      if (now.remembered.size() >= MOST_REMEMBERED) {
        now.remembered.clear();
      }
      now.remembered.put(hash(credentials), roles);
    }
    return roles;
  }

  private static String[] userAndPassword(String credentials) {
    try {
      return new String(Base64.getDecoder().decode(credentials), UTF_8).split(":", 2);
    } catch (IllegalArgumentException e) {
      return new String[0];
    }
  }
}
