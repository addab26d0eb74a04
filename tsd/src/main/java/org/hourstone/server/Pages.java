package org.hourstone.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the server answers without the API: its page, and whether it lives and is ready. Immutable.
 */
final class Pages {
  private static final String TEXT = "text/plain; charset=UTF-8";

  private final Map<String, Page> pages =
      Map.of(
          "/", file("index.html", "text/html; charset=UTF-8"),
          "/healthz", text(200, "ok\n"),
          "/readyz", text(200, "ok\n"),
          "/favicon.ico", file("favicon.svg", "image/svg+xml"));

  /** The page at a request's path; null if there is none. */
  @Nullable Page page(String uri) {
    int question = uri.indexOf('?');
    return pages.get(question < 0 ? uri : uri.substring(0, question));
  }

  private static Page text(int status, String text) {
    return new Page(status, TEXT, text.getBytes(StandardCharsets.UTF_8));
  }

  private static Page file(String name, String contentType) {
    try (InputStream in = Pages.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException(name + " is missing");
      }
      return new Page(200, contentType, in.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
