package org.hourstone.query.plan;

import java.util.List;
import java.util.function.Function;

/**
 * A part of a query's range, and where its values can be read.
 *
 * @param <T> a route, or its plan
 * @param sources in order of preference; the first one that has data is used
 * @param fromMillis where it begins
 * @param toMillis where it ends, inclusive
 */
public record Segment<T>(List<T> sources, long fromMillis, long toMillis) {
  /** The same part with other sources. */
  public <R> Segment<R> map(Function<T, R> mapping) {
    return new Segment<>(sources.stream().map(mapping).toList(), fromMillis, toMillis);
  }
}
