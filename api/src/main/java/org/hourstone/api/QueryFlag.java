package org.hourstone.api;

import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a request to {@code /api/query} says by being there, in its body or its query string. */
enum QueryFlag {
  /** Times are in milliseconds; else in seconds. */
  MILLISECONDS("msResolution", "ms"),
  /** Points are arrays of two; else the fields of an object. */
  ARRAYS(null, "arrays"),
  NO_ANNOTATIONS("noAnnotations", "no_annotations"),
  GLOBAL_ANNOTATIONS("globalAnnotations", "global_annotations"),
  SHOW_TSUIDS("showTSUIDs", "show_tsuids"),
  SHOW_QUERY("showQuery", "show_query"),
  SHOW_STATS("showStats", "show_stats"),
  SHOW_SUMMARY("showSummary", "show_summary"),
  /** Is told back and has no effect, as in OpenTSDB. */
  PADDING("padding", "padding"),
  /** Buckets of downsampling are the calendar's, whatever their text says. */
  USE_CALENDAR("useCalendar", null),
  DELETE("delete", null);

  private final @Nullable String field;
  private final @Nullable String parameter;

  QueryFlag(@Nullable String field, @Nullable String parameter) {
    this.field = field;
    this.parameter = parameter;
  }

  /** The flag of a body's field, or null. */
  static @Nullable QueryFlag ofField(String name) {
    for (QueryFlag flag : values()) {
      if (name.equals(flag.field)) {
        return flag;
      }
    }
    return null;
  }

  /** The flags that stand in a query string, whatever their value, as in OpenTSDB. */
  static Set<QueryFlag> ofParameters(ApiCall call) {
    Set<QueryFlag> flags = EnumSet.noneOf(QueryFlag.class);
    for (QueryFlag flag : values()) {
      if (flag.parameter != null && call.has(flag.parameter)) {
        flags.add(flag);
      }
    }
    return flags;
  }
}
