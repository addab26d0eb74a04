package org.hourstone.server;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The responses of the server that don't use the API: the web page, and its liveness and readiness.
 * Immutable.
 */
final class Pages {
  private static final Set<String> OPEN = Set.of("/healthz", "/readyz");
  private static final String TEXT = "text/plain; charset=UTF-8";

  private final Map<String, Page> pages = new TreeMap<>(PageFiles.byPath());

  private final MetricsPage metrics;

  Pages(MetricsPage metrics) {
    this.metrics = metrics;
    pages.put("/healthz", text(200, "ok\n"));
    pages.put("/readyz", text(200, "ok\n"));
  }

  /** The page at a request's path; null if there is none. */
  @Nullable Page page(String uri) {
    String path = path(uri);
    return path.equals(MetricsPage.PATH) ? metrics.page() : pages.get(path);
  }

  /** Whether the page requires no account, since monitoring does not authenticate. */
  boolean isOpen(String uri) {
    return OPEN.contains(path(uri));
  }

  boolean has(String uri) {
    String path = path(uri);
    return path.equals(MetricsPage.PATH) || pages.containsKey(path);
  }

  private static String path(String uri) {
    int question = uri.indexOf('?');
    return question < 0 ? uri : uri.substring(0, question);
  }

  private static Page text(int status, String text) {
    return new Page(status, TEXT, text.getBytes(StandardCharsets.UTF_8), Map.of());
  }
}
