package org.hourstone.api.otlp;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import org.hourstone.api.request.DoorCounts;

/** How much of a request there is no place for, by kind. For one thread. */
final class Skipped {
  private final Map<Kind, Long> counts = new EnumMap<>(Kind.class);

  /** What is skipped. */
  enum Kind {
    DESCRIPTION,
    EXEMPLAR,
    /** A data point that says that there is no value. */
    NO_RECORDED_VALUE,
    /** One that is not a tag. */
    RESOURCE_ATTRIBUTE,
    SCOPE_ATTRIBUTE,
    START_TIME,
    UNIT
  }

  void add(Kind kind, long more) {
    if (more > 0) {
      counts.merge(kind, more, Long::sum);
    }
  }

  /** Adds these to the counts of the server. */
  void addTo(DoorCounts total) {
    counts.forEach(
        (kind, count) ->
            total.skipped(DoorCounts.Door.OTLP, kind.name().toLowerCase(Locale.ROOT), count));
  }
}
