package org.hourstone.tsd.session;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * The URL of a server that a command talks to.
 *
 * @param base without a user and without a slash at the end, to which paths are appended
 * @param authorization the header for the user that the URL names; null if it names none
 */
public record ServerUrl(String base, @Nullable String authorization) {
  /**
   * @param what the option or parameter, for errors
   * @param url such as {@code http://user:password@db1:4242}
   * @throws UsageException if it is malformed
   */
  public static ServerUrl of(String what, String url) {
    URI uri;
    try {
      uri = URI.create(url);
    } catch (IllegalArgumentException e) {
      throw new UsageException(what + " " + url + ": not a URL");
    }
    if (!("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))
        || uri.getHost() == null) {
      throw new UsageException(what + " " + url + ": not of the form http://HOST:PORT");
    }
    String path = uri.getRawPath() == null ? "" : uri.getRawPath().replaceFirst("/$", "");
    String port = uri.getPort() < 0 ? "" : ":" + uri.getPort();
    String user = uri.getUserInfo();
    return new ServerUrl(
        uri.getScheme() + "://" + uri.getHost() + port + path,
        user == null
            ? null
            : "Basic " + Base64.getEncoder().encodeToString(user.getBytes(StandardCharsets.UTF_8)));
  }
}
