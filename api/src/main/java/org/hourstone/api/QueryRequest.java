package org.hourstone.api;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A request to {@code /api/query} as given, in JSON or as parameters; no names are resolved yet.
 *
 * @param start as text, null if not specified
 * @param end likewise
 * @param timezone likewise
 * @param subQueries in their order, without duplicates, with the index of each in the request
 */
record QueryRequest(
    @Nullable String start,
    @Nullable String end,
    @Nullable String timezone,
    Map<SubQuery, String> subQueries,
    Set<QueryFlag> flags) {

  boolean has(QueryFlag flag) {
    return flags.contains(flag);
  }

  List<SubQuery> queries() {
    return new ArrayList<>(subQueries.keySet());
  }
}
