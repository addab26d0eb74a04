package org.hourstone.api.query;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Set;
import java.util.function.DoublePredicate;
import org.hourstone.api.endpoint.ApiDialect;
import org.hourstone.api.endpoint.QueryFlag;
import org.hourstone.api.request.ResponseBody;
import org.hourstone.internal.JsonBuffer;
import org.hourstone.query.ResultSeries;

/**
 * Complete series as the array of a response.
 *
 * @param flags which fields are returned, and in which form
 */
record SeriesResponse(
    List<ResultSeries> series, Set<QueryFlag> flags, DoublePredicate isNull, ApiDialect dialect)
    implements ResponseBody {
  private static final int CAPACITY = 1 << 16;

  @Override
  public void writeTo(OutputStream out) throws IOException {
    JsonBuffer json = new JsonBuffer(CAPACITY);
    SeriesJson writer =
        new SeriesJson(
            json,
            flags.contains(QueryFlag.MILLISECONDS),
            flags.contains(QueryFlag.ARRAYS),
            isNull,
            dialect,
            null);
    json.raw('[');
    boolean isFirst = true;
    for (ResultSeries one : series) {
      json.raw(isFirst ? "{" : ",{");
      isFirst = false;
      writer.title(one);
      if (flags.contains(QueryFlag.SHOW_TSUIDS)) {
        writer.texts("tsuids", one.tsuids());
      }
      for (int at = writer.points(one, 0); at < one.size(); at = writer.points(one, at)) {
        drainIfLong(json, out);
      }
      json.raw('}');
      drainIfLong(json, out);
    }
    json.raw(']').drainTo(out);
  }

  private static void drainIfLong(JsonBuffer json, OutputStream out) throws IOException {
    if (json.size() >= CAPACITY / 2) {
      json.drainTo(out);
    }
  }

  @Override
  public void close() {
    // Nothing is left to read.
  }
}
