package org.hourstone.query;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.hourstone.query.QueryLimitException.Limit;

/**
 * The limits of one query, of one request with all its queries, and of all requests at once. Each
 * is {@link #UNLIMITED} unless it is set. Immutable.
 */
public final class QueryLimits {
  public static final long UNLIMITED = 0;

  /** No limits at all. */
  public static final QueryLimits NONE = new QueryLimits(unlimited(), UNLIMITED);

  /** Has each limit. */
  private final Map<Limit, Long> limits;

  private final long totalMemoryBytes;

  private QueryLimits(Map<Limit, Long> limits, long totalMemoryBytes) {
    this.limits = limits;
    this.totalMemoryBytes = totalMemoryBytes;
  }

  private static Map<Limit, Long> unlimited() {
    Map<Limit, Long> all = new EnumMap<>(Limit.class);
    for (Limit limit : Limit.values()) {
      all.put(limit, UNLIMITED);
    }
    return all;
  }

  /** These limits with another one for each query or request; for {@code TIME} in milliseconds. */
  public QueryLimits with(Limit limit, long most) {
    Map<Limit, Long> changed = new EnumMap<>(limits);
    changed.put(limit, most);
    return new QueryLimits(changed, totalMemoryBytes);
  }

  /** These limits with another one for the memory of all requests at a time. */
  public QueryLimits withTotalMemoryBytes(long most) {
    return new QueryLimits(limits, most);
  }

  private long of(Limit limit) {
    return Objects.requireNonNull(limits.get(limit));
  }

  /**
   * The maximum number of points that a query reads ({@code tsd.query.limits.data_points.default}).
   */
  public long points() {
    return of(Limit.POINTS);
  }

  /**
   * The maximum number of bytes of rows that a query reads ({@code
   * tsd.query.limits.bytes.default}).
   */
  public long bytes() {
    return of(Limit.BYTES);
  }

  /** The maximum number of series that a query reads ({@code hourstone.query.limits.series}). */
  public long series() {
    return of(Limit.SERIES);
  }

  /** The maximum time in which threads work for a request ({@code tsd.query.timeout}). */
  public long millis() {
    return of(Limit.TIME);
  }

  /** The maximum memory of a request at a time ({@code hourstone.query.limits.memory_bytes}). */
  public long memoryBytes() {
    return of(Limit.MEMORY);
  }

  /**
   * The maximum memory of all requests at a time ({@code
   * hourstone.query.limits.total_memory_bytes}).
   */
  public long totalMemoryBytes() {
    return totalMemoryBytes;
  }

  /**
   * The maximum number of characters that the regular expressions of a request read ({@code
   * hourstone.query.limits.regex_steps}).
   */
  public long regexSteps() {
    return of(Limit.REGEX);
  }

  /** The maximum number of queries of a request ({@code hourstone.query.limits.queries}). */
  public long queries() {
    return of(Limit.QUERIES);
  }

  /**
   * The maximum number of values of the expressions of a request ({@code
   * hourstone.expression.max_values}).
   */
  public long values() {
    return of(Limit.VALUES);
  }

  /**
   * Refuses a request that has too many queries.
   *
   * @throws QueryLimitException if it has
   */
  public void checkQueries(long count) {
    if (isExceeded(count, queries())) {
      throw new QueryLimitException(
          Limit.QUERIES,
          "the request has more than "
              + queries()
              + " queries (hourstone.query.limits.queries): divide it");
    }
  }

  static boolean isExceeded(long used, long limit) {
    return limit != UNLIMITED && used > limit;
  }
}
