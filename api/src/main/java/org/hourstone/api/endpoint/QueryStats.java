package org.hourstone.api.endpoint;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.LongStream;
import org.hourstone.internal.Json;

/**
 * The durations and point counts of a response's parts, under OpenTSDB's names; only those that
 * have a meaning here. For one thread.
 */
public final class QueryStats {
  private static final double NANOS_PER_MILLI = 1e6;

  /** The statistics of one query of the request. */
  public static final class OfQuery {
    private final int index;

    /** Until the first series was available: reading rows. */
    public long scanNanos;

    /** Until the others were available: assembling groups. */
    public long aggregationNanos;

    public long serializationNanos;
    public long points;

    private OfQuery(int index) {
      this.index = index;
    }

    public ObjectNode json() {
      return Json.object()
          .put("aggregationTime", millis(aggregationNanos))
          .put("emittedDPs", points)
          .put("queryIndex", index)
          .put("queryScanTime", millis(scanNanos))
          .put("serializationTime", millis(serializationNanos));
    }
  }

  private final long startNanos = System.nanoTime();
  private final List<OfQuery> queries = new ArrayList<>();

  /** Those of the next query. */
  public OfQuery next() {
    OfQuery stats = new OfQuery(queries.size());
    queries.add(stats);
    return stats;
  }

  /** Of all queries together. */
  public ObjectNode totals() {
    return Json.object()
        .put("avgAggregationTime", average(queries.stream().mapToLong(q -> q.aggregationNanos)))
        .put("avgQueryScanTime", average(queries.stream().mapToLong(q -> q.scanNanos)))
        .put("avgSerializationTime", average(queries.stream().mapToLong(q -> q.serializationNanos)))
        .put("emittedDPs", queries.stream().mapToLong(q -> q.points).sum());
  }

  /** The sum of all, and each by itself. */
  public ObjectNode summary() {
    double total = millis(System.nanoTime() - startNanos);
    ObjectNode json = totals().put("processingPreWriteTime", total).put("totalTime", total);
    for (OfQuery query : queries) {
      json.set(String.format(Locale.ROOT, "queryIdx_%02d", query.index), query.json());
    }
    return json;
  }

  private static double average(LongStream nanos) {
    return nanos.average().orElse(0) / NANOS_PER_MILLI;
  }

  static double millis(long nanos) {
    return nanos / NANOS_PER_MILLI;
  }
}
