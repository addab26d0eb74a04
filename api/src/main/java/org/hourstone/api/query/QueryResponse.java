package org.hourstone.api.query;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;
import org.hourstone.Tsdb;
import org.hourstone.annotation.Annotation;
import org.hourstone.api.endpoint.ApiDialect;
import org.hourstone.api.endpoint.ApiOptions;
import org.hourstone.api.endpoint.MeasuredBody;
import org.hourstone.api.endpoint.QueryFlag;
import org.hourstone.api.endpoint.QueryStats;
import org.hourstone.internal.Json;
import org.hourstone.internal.JsonBuffer;
import org.hourstone.query.Explanation;
import org.hourstone.query.Query;
import org.hourstone.query.QueryDraft;
import org.hourstone.query.RequestBudget;
import org.hourstone.query.ResultSeries;
import org.hourstone.query.SeriesCursor;
import org.hourstone.series.Downsample;
import org.hourstone.series.FillPolicy;
import org.jspecify.annotations.Nullable;

/**
 * The JSON of {@code /api/query}, generated piece by piece: only one piece of the points is in
 * memory as text. Before the first byte all queries are planned, and the response is generated up
 * to a length; until then a failure still produces an error response. Queries are read as the
 * series of earlier ones are written. For one thread.
 */
final class QueryResponse implements MeasuredBody {
  /** A piece of the response this long is passed on. */
  private static final int PIECE_BYTES = 1 << 15;

  /** Enough for a short response; most are. */
  private static final int LEAST_CAPACITY = 1 << 12;

  /** A response up to this length is generated before its first byte is sent. */
  private static final int PREPARED_BYTES = 1 << 20;

  /** A running query. */
  private static final class Running {
    final QueryDraft asked;
    final int index;
    final SeriesCursor cursor;
    final QueryStats.OfQuery stats;
    final long startMillis;
    final long endMillis;
    final Query query;
    final boolean nullForNan;
    @Nullable ResultSeries next;
    boolean isBegun;

    Running(
        QueryDraft asked, Query query, int index, SeriesCursor cursor, QueryStats.OfQuery stats) {
      this.asked = asked;
      this.index = index;
      this.cursor = cursor;
      this.stats = stats;
      this.query = query;
      this.startMillis = query.startMillis();
      this.endMillis = query.endMillis();
      Downsample downsample = query.downsample();
      this.nullForNan = downsample != null && downsample.fill() == FillPolicy.NULL;
    }
  }

  private final Tsdb db;
  private final ApiOptions options;
  private final QueryRequest request;
  private final List<Annotation> globals;
  private final List<Explanation> explanations;
  private final ApiDialect dialect;
  private final QueryStats stats = new QueryStats();
  private final Deque<Running> running = new ArrayDeque<>();
  private final JsonBuffer json = new JsonBuffer(LEAST_CAPACITY);

  /** The number of points written of the current series; -1 if it was not started. */
  private int written = -1;

  private boolean isFirst = true;
  private boolean isComplete;

  private QueryResponse(
      Tsdb db,
      ApiOptions options,
      QueryRequest request,
      List<Annotation> globals,
      List<Explanation> explanations) {
    this.db = db;
    this.options = options;
    this.request = request;
    this.globals = globals;
    this.explanations = explanations;
    this.dialect = options.requests();
  }

  /**
   * Starts the response.
   *
   * @param queries those of the request, in its order
   * @param globals the global annotations to return
   * @param explanations of the queries, to return after their series
   * @param budget of the request
   */
  static QueryResponse begin(
      Tsdb db,
      ApiOptions options,
      QueryRequest request,
      List<Query> queries,
      List<Annotation> globals,
      List<Explanation> explanations,
      RequestBudget budget) {
    QueryResponse response = new QueryResponse(db, options, request, globals, explanations);
    try {
      response.begin(queries, budget);
      return response;
    } catch (RuntimeException | Error e) {
      response.close();
      throw e;
    }
  }

  private void begin(List<Query> queries, RequestBudget budget) {
    List<QueryDraft> asked = request.queries();
    List<SeriesCursor> cursors = db.queryAll(queries, budget);
    for (int i = 0; i < queries.size(); i++) {
      running.add(new Running(asked.get(i), queries.get(i), i, cursors.get(i), stats.next()));
    }
    json.raw('[');
    while (!isComplete && json.size() < PREPARED_BYTES) {
      writePiece();
    }
  }

  @Override
  public void writeTo(OutputStream out) throws IOException {
    json.drainTo(out);
    while (!isComplete) {
      writePiece();
      if (isComplete || json.size() >= PIECE_BYTES) {
        json.drainTo(out);
      }
    }
  }

  private void writePiece() {
    Running query = running.peek();
    if (query == null) {
      end();
      return;
    }
    if (!query.isBegun) {
      query.isBegun = true;
      long start = System.nanoTime();
      query.next = query.cursor.next();
      query.stats.scanNanos = System.nanoTime() - start;
    }
    ResultSeries series = query.next;
    if (series == null) {
      running.remove().cursor.close();
      return;
    }
    long start = System.nanoTime();
    SeriesJson writer =
        new SeriesJson(
            json,
            request.has(QueryFlag.MILLISECONDS),
            request.has(QueryFlag.ARRAYS),
            NoNumbers.thatAreNull(options, query.nullForNan),
            dialect,
            query.query);
    if (written < 0) {
      beginSeries(query, series, writer);
      written = 0;
    }
    written = writer.points(series, written);
    query.stats.serializationNanos += System.nanoTime() - start;
    if (written == series.size()) {
      endSeries(query, series);
    }
  }

  private void beginSeries(Running query, ResultSeries series, SeriesJson writer) {
    json.raw(isFirst ? "{" : ",{");
    isFirst = false;
    writer.title(series);
    if (request.has(QueryFlag.SHOW_QUERY)) {
      json.raw(",\"query\":").raw(Json.text(QueryEcho.of(query.asked, query.index, db)));
    }
    if (request.has(QueryFlag.SHOW_TSUIDS)) {
      writer.texts("tsuids", series.tsuids());
    }
    annotations(
        "annotations",
        within(
            series.annotations().stream().map(Annotation::ofStored),
            query.startMillis,
            query.endMillis),
        dialect.annotations().listsNone() && !series.annotations().isEmpty());
    annotations(
        "globalAnnotations",
        dialect.annotations().listsNone()
            ? within(globals.stream(), query.startMillis, query.endMillis)
            : globals,
        dialect.annotations().listsNone() && !globals.isEmpty());
  }

  private void annotations(String name, List<Annotation> annotations, boolean always) {
    if (always || !annotations.isEmpty()) {
      json.raw(",\"").raw(name).raw("\":").raw(Json.text(AnnotationJson.of(annotations)));
    }
  }

  /** Those that begin in the range, in their order. */
  private List<Annotation> within(Stream<Annotation> annotations, long from, long to) {
    return annotations
        .filter(note -> note.startMillis() >= from && note.startMillis() <= to)
        .sorted(dialect.annotations().order())
        .toList();
  }

  private void endSeries(Running query, ResultSeries series) {
    query.stats.points += series.size();
    if (request.has(QueryFlag.SHOW_STATS)) {
      json.raw(",\"stats\":").raw(Json.text(query.stats.json()));
    }
    json.raw('}');
    written = -1;
    long start = System.nanoTime();
    query.next = query.cursor.next();
    query.stats.aggregationNanos += System.nanoTime() - start;
  }

  private void end() {
    if (request.has(QueryFlag.SHOW_SUMMARY)) {
      json.raw(isFirst ? "" : ",")
          .raw("{\"statsSummary\":")
          .raw(Json.text(stats.summary()))
          .raw('}');
      isFirst = false;
    }
    if (!explanations.isEmpty()) {
      ArrayNode explained = Json.array();
      explanations.forEach(each -> explained.add(ExplanationJson.of(each)));
      json.raw(isFirst ? "" : ",").raw("{\"explain\":").raw(Json.text(explained)).raw('}');
    }
    json.raw(']');
    isComplete = true;
  }

  @Override
  public ObjectNode stats() {
    return stats.totals();
  }

  @Override
  public void close() {
    List<Running> left = new ArrayList<>(running);
    running.clear();
    isComplete = true;
    left.forEach(query -> query.cursor.close());
  }
}
