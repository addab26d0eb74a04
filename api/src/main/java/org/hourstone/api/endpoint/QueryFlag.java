package org.hourstone.api.endpoint;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.hourstone.api.request.ApiCall;
import org.jspecify.annotations.Nullable;

/** The flags of a request to {@code /api/query}, in its body or its query string. */
public enum QueryFlag {
  /** Times are in milliseconds; otherwise in seconds. */
  MILLISECONDS("msResolution", "ms"),
  /** Points are arrays of two elements; otherwise the fields of an object. */
  ARRAYS(null, "arrays"),
  NO_ANNOTATIONS("noAnnotations", "no_annotations"),
  GLOBAL_ANNOTATIONS("globalAnnotations", "global_annotations"),
  SHOW_TSUIDS("showTSUIDs", "show_tsuids"),
  SHOW_QUERY("showQuery", "show_query"),
  SHOW_STATS("showStats", "show_stats"),
  SHOW_SUMMARY("showSummary", "show_summary"),
  /** Repeated in the response without effect, as in OpenTSDB. */
  PADDING("padding", "padding"),
  /** Downsampling uses calendar buckets, whatever the interval's text. */
  USE_CALENDAR("useCalendar", null),
  DELETE("delete", null);

  private final @Nullable String field;
  private final @Nullable String parameter;

  QueryFlag(@Nullable String field, @Nullable String parameter) {
    this.field = field;
    this.parameter = parameter;
  }

  /** The flag of a body's field, or null. */
  public static @Nullable QueryFlag ofField(String name) {
    for (QueryFlag flag : values()) {
      if (name.equals(flag.field)) {
        return flag;
      }
    }
    return null;
  }

  /** The fields of bodies. */
  public static Stream<String> fields() {
    return Arrays.stream(values()).map(flag -> flag.field).filter(Objects::nonNull);
  }

  /** The flags that are present in a query string, whatever their value, as in OpenTSDB. */
  public static Set<QueryFlag> ofParameters(ApiCall call) {
    Set<QueryFlag> flags = EnumSet.noneOf(QueryFlag.class);
    for (QueryFlag flag : values()) {
      if (flag.parameter != null && call.has(flag.parameter)) {
        flags.add(flag);
      }
    }
    return flags;
  }
}
