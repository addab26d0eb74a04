package org.hourstone.api.status;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.hourstone.api.endpoint.Endpoint;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.internal.Json;
import org.hourstone.query.QueryDialect;
import org.hourstone.query.TagFilter;

/** {@code /api/config/filters}: the types of tag filters, with examples. */
public final class FilterTypesEndpoint implements Endpoint {
  private final QueryDialect dialect;

  public FilterTypesEndpoint(QueryDialect dialect) {
    this.dialect = dialect;
  }

  @Override
  public ApiResponse respond(ApiCall call) {
    ObjectNode types = Json.object();
    for (TagFilter.Type type : TagFilter.Type.values()) {
      if (dialect.knows(type)) {
        types.set(type.requestName(), describe(type));
      }
    }
    return ApiResponse.ok(types);
  }

  private static ObjectNode describe(TagFilter.Type type) {
    String text = example(type);
    return Json.object()
        .put(
            "examples",
            "host="
                + type.requestName()
                + "("
                + text
                + ")  "
                + Json.object()
                    .put("type", type.requestName())
                    .put("tagk", "host")
                    .put("filter", text)
                    .put("groupBy", false))
        .put("description", meaning(type));
  }

  private static String example(TagFilter.Type type) {
    return switch (type) {
      case LITERAL_OR, ILITERAL_OR, NOT_LITERAL_OR, NOT_ILITERAL_OR -> "web01|web02";
      case WILDCARD, IWILDCARD -> "web*.lga";
      case REGEXP -> "^web\\d+$";
      case NOT_KEY -> "";
    };
  }

  private static String meaning(TagFilter.Type type) {
    return switch (type) {
      case LITERAL_OR -> "The tag has one of the values.";
      case ILITERAL_OR -> "The tag has one of the values, in upper or lower case.";
      case NOT_LITERAL_OR -> "The tag has none of the values.";
      case NOT_ILITERAL_OR -> "The tag has none of the values, in upper or lower case.";
      case WILDCARD -> "The tag's value is one of the texts, with anything in place of each star.";
      case IWILDCARD ->
          "The tag's value is one of the texts, in upper or lower case, with anything in place of"
              + " each star.";
      case REGEXP -> "The regular expression, in Java's syntax, is found in the tag's value.";
      case NOT_KEY -> "The series does not have the tag.";
    };
  }
}
