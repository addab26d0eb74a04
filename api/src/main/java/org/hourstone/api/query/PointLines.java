package org.hourstone.api.query;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.hourstone.api.request.ResponseBody;
import org.hourstone.internal.JsonBuffer;
import org.hourstone.query.ResultSeries;
import org.hourstone.query.SeriesCursor;
import org.jspecify.annotations.Nullable;

/**
 * The points of series as lines: {@code metric seconds value tag=value}. They are generated as they
 * are written; the first of them before, so that a failure until then produces an error response.
 * For one thread.
 */
final class PointLines implements ResponseBody {
  private static final int CAPACITY = 1 << 16;
  private static final int PREPARED_BYTES = 1 << 20;

  private final Deque<SeriesCursor> left;
  private final boolean hashedTags;
  private final JsonBuffer text = new JsonBuffer(CAPACITY);
  private @Nullable ResultSeries series;
  private String tags = "";
  private int next;

  private PointLines(List<SeriesCursor> cursors, boolean hashedTags) {
    this.left = new ArrayDeque<>(cursors);
    this.hashedTags = hashedTags;
  }

  /**
   * @param hashedTags whether tags are in the order of a hash table
   */
  static PointLines begin(List<SeriesCursor> cursors, boolean hashedTags) {
    PointLines lines = new PointLines(cursors, hashedTags);
    try {
      lines.fill(PREPARED_BYTES);
      return lines;
    } catch (RuntimeException | Error e) {
      lines.close();
      throw e;
    }
  }

  @Override
  public void writeTo(OutputStream out) throws IOException {
    boolean more = true;
    while (more) {
      text.drainTo(out);
      more = fill(CAPACITY / 2);
    }
    text.drainTo(out);
  }

  /**
   * Adds lines up to a length.
   *
   * @return whether there are more
   */
  private boolean fill(int bytes) {
    while (text.size() < bytes) {
      ResultSeries current = series;
      if (current == null || next == current.size()) {
        if (!nextSeries()) {
          return false;
        }
      } else {
        if (isNumber(current, next)) {
          text.raw(current.metric()).raw(' ').number(current.millis(next) / 1000).raw(' ');
          text.raw(current.text(next)).raw(tags).raw('\n');
        }
        next++;
      }
    }
    return true;
  }

  /** Not what fills a gap, for which OpenTSDB has no line either. */
  private static boolean isNumber(ResultSeries series, int i) {
    return series.isInteger(i) || !Double.isNaN(series.doubleValue(i));
  }

  private boolean nextSeries() {
    next = 0;
    while (!left.isEmpty()) {
      ResultSeries found = left.element().next();
      series = found;
      if (found != null) {
        StringBuilder all = new StringBuilder();
        Map<String, String> ordered = hashedTags ? new HashMap<>(found.tags()) : found.tags();
        ordered.forEach((tagk, tagv) -> all.append(' ').append(tagk).append('=').append(tagv));
        tags = all.toString();
        return true;
      }
      left.remove().close();
    }
    return false;
  }

  @Override
  public void close() {
    left.forEach(SeriesCursor::close);
    left.clear();
    series = null;
  }
}
