package org.hourstone.api.query;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hourstone.api.endpoint.ApiDialect;
import org.hourstone.api.endpoint.QueryFlag;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiException;
import org.hourstone.error.RequestException;
import org.hourstone.query.MalformedFiltersException;
import org.hourstone.query.QueryDialect;
import org.hourstone.query.QueryDraft;

/** Reads a request to {@code /api/query} from its query string: {@code start=…&m=…}. */
final class QueryParameters {
  private interface Reader {
    QueryDraft read(String text, QueryDialect dialect);
  }

  private final ApiDialect dialect;
  private final Map<QueryDraft, String> queries = new LinkedHashMap<>();

  private QueryParameters(ApiDialect dialect) {
    this.dialect = dialect;
  }

  /**
   * @throws ApiException if it can't be read
   */
  static QueryRequest read(ApiCall call, ApiDialect dialect) {
    return new QueryParameters(dialect).read(call);
  }

  private QueryRequest read(ApiCall call) {
    String start = call.required("start");
    if (dialect.readsTsuidsFirst()) {
      add(call, "tsuid", QueryDraft::ofTsuids);
    }
    add(call, "m", QueryDraft::ofMetric);
    add(call, "tsuid", QueryDraft::ofTsuids);
    if (queries.isEmpty()) {
      throw new ApiException(ApiException.BAD_REQUEST, "Missing sub queries");
    }
    Set<QueryFlag> flags = QueryFlag.ofParameters(call);
    if (dialect.times().usesCalendar(call)) {
      flags.add(QueryFlag.USE_CALENDAR);
    }
    return new QueryRequest(
        start, call.parameter("end").orElse(null), dialect.times().timezone(call), queries, flags);
  }

  private void add(ApiCall call, String parameter, Reader reader) {
    for (String text : call.parameters().getOrDefault(parameter, List.of())) {
      String where = parameter + "=" + text;
      try {
        queries.putIfAbsent(reader.read(text, dialect.queries()), where);
      } catch (MalformedFiltersException e) {
        throw dialect.faults().malformedSeries(String.valueOf(e.getMessage()), "in " + where);
      } catch (RequestException e) {
        throw dialect.faults().malformed(String.valueOf(e.getMessage()), "in " + where);
      }
    }
  }
}
