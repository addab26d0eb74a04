package org.hourstone.api;

import java.util.Set;

/** The kinds of searches that OpenTSDB leaves to plugins, which there are none of here. */
final class SearchTypes {
  static final String PATH = "/api/search/";

  private static final Set<String> OF_PLUGINS =
      Set.of("annotation", "tsmeta", "tsmeta_summary", "tsuids", "uidmeta");

  private SearchTypes() {}

  /** Says of a path, other than that of lookups, why there is nothing. */
  static ApiException refusal(String path) {
    String type = path.substring(PATH.length());
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
