package org.hourstone.api.query;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hourstone.api.endpoint.QueryFlag;
import org.hourstone.query.QueryDraft;
import org.jspecify.annotations.Nullable;

/**
 * A request to {@code /api/query}, in JSON or as parameters; no names are resolved yet.
 *
 * @param start as text, null if not specified
 * @param end likewise
 * @param timezone likewise
 * @param drafts the queries in their order, without duplicates, with the index of each in the
 *     request
 */
public record QueryRequest(
    @Nullable String start,
    @Nullable String end,
    @Nullable String timezone,
    Map<QueryDraft, String> drafts,
    Set<QueryFlag> flags) {

  boolean has(QueryFlag flag) {
    return flags.contains(flag);
  }

  public List<QueryDraft> queries() {
    return new ArrayList<>(drafts.keySet());
  }
}
