package org.hourstone.server;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.hourstone.api.status.RecentFigures;
import org.hourstone.health.StoreState;
import org.jspecify.annotations.Nullable;

/**
 * The responses of the server that don't use the API: the web page, and its liveness and readiness.
 * None of them waits for the store. Thread-safe.
 */
final class Pages {
  private static final Set<String> OPEN = Set.of("/healthz", "/readyz");
  private static final String TEXT = "text/plain; charset=UTF-8";
  private static final Page OK = text(200, "ok\n");

  private final Map<String, Page> pages = new TreeMap<>(PageFiles.byPath());

  private static final String READY = "/readyz";

  private final MetricsPage metrics;
  private final RecentFigures recent;
  private final Supplier<StoreState> store;

  /**
   * @param store whether the store answers; never waits for it
   */
  Pages(MetricsPage metrics, RecentFigures recent, Supplier<StoreState> store) {
    this.metrics = metrics;
    this.recent = recent;
    this.store = store;
    pages.put("/healthz", OK);
    pages.put(READY, OK);
  }

  private static Page readiness(StoreState state) {
    if (state.answers()) {
      String refusal = state.refusal();
      return refusal == null ? OK : text(503, "new points are refused: " + refusal + "\n");
    }
    return text(
        503,
        "the store has not answered for %d s: %s\n"
            .formatted(state.silentSeconds(), state.reason()));
  }

  /** The page at a request's path; null if there is none. */
  @Nullable Page page(String uri) {
    String path = path(uri);
    if (path.equals(READY)) {
      return readiness(store.get());
    }
    if (path.equals(RecentFigures.PATH)) {
      return new Page(
          200,
          "application/json; charset=UTF-8",
          recent.text().getBytes(StandardCharsets.UTF_8),
          Map.of());
    }
    return path.equals(MetricsPage.PATH) ? metrics.page() : pages.get(path);
  }

  /** Whether the page requires no account, since monitoring does not authenticate. */
  boolean isOpen(String uri) {
    return OPEN.contains(path(uri));
  }

  boolean has(String uri) {
    String path = path(uri);
    return path.equals(MetricsPage.PATH)
        || path.equals(RecentFigures.PATH)
        || pages.containsKey(path);
  }

  private static String path(String uri) {
    int question = uri.indexOf('?');
    return question < 0 ? uri : uri.substring(0, question);
  }

  private static Page text(int status, String text) {
    return new Page(status, TEXT, text.getBytes(StandardCharsets.UTF_8), Map.of());
  }
}
