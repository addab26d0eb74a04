package org.hourstone.api.name;

import java.util.Set;
import org.hourstone.api.endpoint.ApiDialect;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiException;

/** The kinds of searches that OpenTSDB delegates to plugins; Hourstone has none. */
public final class SearchTypes {
  public static final String PATH = "/api/search/";

  private static final Set<String> OF_PLUGINS =
      Set.of("annotation", "tsmeta", "tsmeta_summary", "tsuids", "uidmeta");

  private SearchTypes() {}

  /** The error for the path of a search other than a lookup. */
  public static ApiException refusal(ApiCall call, ApiDialect dialect) {
    String type = call.path().substring(PATH.length());
    if (OF_PLUGINS.contains(type)) {
      dialect.checkSearch(call);
    }
    return OF_PLUGINS.contains(type)
        ? new ApiException(
            ApiException.BAD_REQUEST,
            "Searching is not enabled",
            "Searching has not been enabled on this TSD")
        : new ApiException(
            ApiException.BAD_REQUEST,
            "Invalid search query type supplied",
            "Unknown type: " + type);
  }
}
