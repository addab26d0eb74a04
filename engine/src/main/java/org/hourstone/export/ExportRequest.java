package org.hourstone.export;

import java.util.List;
import org.hourstone.query.Query;

/**
 * What to export.
 *
 * @param queries select the series; nothing else of them applies. Empty for all series
 * @param fromMillis the first time, not negative
 * @param toMillis the last time, greater than the first
 * @param after continues behind the place of this token, which an export of the same request has
 *     written; empty to begin
 */
public record ExportRequest(
    ExportFormat format, List<Query> queries, long fromMillis, long toMillis, String after) {
  public ExportRequest {
    queries = List.copyOf(queries);
  }
}
