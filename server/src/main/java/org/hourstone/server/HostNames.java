package org.hourstone.server;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.NetUtil;
import java.lang.System.Logger.Level;
import java.net.IDN;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.hourstone.DaemonSettings;
import org.hourstone.StrictSubject;
import org.hourstone.TsdbOptions;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.api.request.ServerInfo.Statistic;
import org.jspecify.annotations.Nullable;

/**
 * The host names under which clients reach the server. A web site can make its own name resolve to
 * the server's address, and a browser then regards the server's responses as those of the site. The
 * request still contains the site's name, so requests for unknown names are refused. IP addresses
 * and {@code localhost} are not names that a site can own. Thread-safe.
 */
final class HostNames {
  private static final System.Logger LOG = System.getLogger("org.hourstone.server");
  private static final int BAD_REQUEST = 400;
  private static final int FORBIDDEN = 403;
  private static final long LOG_NANOS = 60_000_000_000L;
  private static final int MOST_LOGGED = 100;
  private static final String ANY = "*";
  private static final String LOCAL = "localhost";

  private final Set<String> names;
  private final boolean anyHeader;
  private final LongSupplier nanoTime;
  private final LongAdder refused = new LongAdder();
  private final AtomicLong logAfter;

  /**
   * @param names in lower case, or {@code *} for any
   * @param anyHeader whether the header may be missing or repeated
   */
  HostNames(Set<String> names, boolean anyHeader, LongSupplier nanoTime) {
    this.names = names;
    this.anyHeader = anyHeader;
    this.nanoTime = nanoTime;
    this.logAfter = new AtomicLong(nanoTime.getAsLong());
  }

  /**
   * @throws IllegalArgumentException if a configured name is not one
   */
  static HostNames of(TsdbOptions options) {
    Set<String> names = new HashSet<>();
    for (String word : options.get(DaemonSettings.HOSTS).split(",")) {
      if (!word.isBlank()) {
        names.add(word.strip().equals(ANY) ? ANY : configured(word.strip()));
      }
    }
    names.add(plain(options.get(DaemonSettings.BIND)));
    return new HostNames(names, options.isStrict(StrictSubject.REQUESTS), System::nanoTime);
  }

  private static String configured(String word) {
    String name;
    try {
      name = plain(IDN.toASCII(word));
    } catch (IllegalArgumentException e) {
      throw notName(word, e);
    }
    if (!name.matches("[a-z0-9_]([a-z0-9._-]*[a-z0-9_])?")) {
      throw notName(word, null);
    }
    return name;
  }

  private static IllegalArgumentException notName(String word, @Nullable Throwable cause) {
    return new IllegalArgumentException(
        DaemonSettings.HOSTS.key()
            + ": not the name of a host, without a port, or *, which allows all: "
            + word,
        cause);
  }

  /** A name as it is compared. */
  private static String plain(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
  }

  /**
   * The response to a request that is refused because of the host it names; null if it is accepted.
   *
   * @param open whether the request is one of monitoring, which may name any host or none, since
   *     its response is the same for all
   */
  @Nullable ApiResponse refusal(HttpRequest request, boolean open) {
    List<String> hosts = request.headers().getAll(HttpHeaderNames.HOST);
    if (hosts.size() > 1 && !anyHeader) {
      return malformed("The request has " + hosts.size() + " headers Host");
    }
    if (open) {
      return null;
    }
    boolean has = !hosts.isEmpty() && !hosts.get(0).isBlank();
    if (!has && !anyHeader && request.protocolVersion().compareTo(HttpVersion.HTTP_1_1) >= 0) {
      return malformed("The request has no header Host");
    }
    if (names.contains(ANY)) {
      return null;
    }
    String target = RequestTarget.authority(request.uri());
    String unknown = target == null || isKnown(target) ? null : target;
    for (String host : hosts) {
      if (has && !isKnown(host.strip())) {
        unknown = host.strip();
      }
    }
    return unknown == null ? null : refused(unknown);
  }

  /**
   * @param authority a host, with or without a port
   */
  private boolean isKnown(String authority) {
    if (authority.startsWith("[")) {
      int end = authority.indexOf(']');
      return end > 0
          && NetUtil.isValidIpV6Address(authority.substring(1, end))
          && isPort(authority.substring(end + 1));
    }
    int colon = authority.indexOf(':');
    String name = plain(colon < 0 ? authority : authority.substring(0, colon));
    return (colon < 0 || isPort(authority.substring(colon)))
        && (NetUtil.isValidIpV4Address(name)
            || name.equals(LOCAL)
            || name.endsWith("." + LOCAL) // never resolved by a name server, see RFC 6761
            || names.contains(name));
  }

  private static boolean isPort(String text) {
    return text.matches("(:\\d{0,5})?");
  }

  private static ApiResponse malformed(String details) {
    return ApiResponse.error(BAD_REQUEST, "Bad Request", details);
  }

  private ApiResponse refused(String host) {
    refused.increment();
    String shown = host.length() > MOST_LOGGED ? host.substring(0, MOST_LOGGED) + "…" : host;
    long after = logAfter.get();
    long now = nanoTime.getAsLong();
    if (now - after >= 0 && logAfter.compareAndSet(after, now + LOG_NANOS)) {
      LOG.log(
          Level.WARNING,
          "refused a request for the host '"
              + shown
              + "', which "
              + DaemonSettings.HOSTS.key()
              + " does not list; refused since the start: "
              + refused.sum());
    }
    return ApiResponse.error(
        FORBIDDEN,
        "Forbidden",
        "The host ["
            + shown
            + "] is none of this server's names: list it in "
            + DaemonSettings.HOSTS.key());
  }

  List<Statistic> statistics() {
    return List.of(new Statistic("http.hosts_refused", refused.sum(), Map.of()));
  }
}
