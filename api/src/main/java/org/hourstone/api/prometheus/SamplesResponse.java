package org.hourstone.api.prometheus;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.hourstone.Tsdb;
import org.hourstone.api.request.ResponseBody;
import org.hourstone.kv.Bytes;
import org.hourstone.query.Query;
import org.hourstone.query.RequestBudget;
import org.hourstone.query.ResultSeries;
import org.hourstone.query.SeriesCursor;
import org.hourstone.uid.NoSuchNameException;

/**
 * The response to a request of remote read, {@code prometheus.ReadResponse}: the selected series
 * with their samples, compressed. All of it is in memory before its first byte is written, since it
 * begins with its length; only in its compressed form. For one thread.
 */
final class SamplesResponse implements ResponseBody {
  private static final int RESULT = 1;
  private static final int SERIES = 1;
  private static final int LABEL = 1;
  private static final int SAMPLE = 2;
  private static final int VALUE = 1;
  private static final int TIME = 2;

  /** A value, with the number of its field. */
  private static final int VALUE_BYTES = 1 + Double.BYTES;

  private final Tsdb db;
  private final LabelNames names;
  private final RequestBudget budget;
  private final SnappyPieces pieces;

  private SamplesResponse(Tsdb db, LabelNames names, RequestBudget budget) {
    this.db = db;
    this.names = names;
    this.budget = budget;
    this.pieces = SnappyPieces.around(budget.memory());
  }

  /**
   * Reads what a request selects.
   *
   * @throws org.hourstone.query.QueryLimitException if it is too much
   */
  static SamplesResponse of(Tsdb db, LabelNames names, ReadRequest request, RequestBudget budget) {
    SamplesResponse response = new SamplesResponse(db, names, budget);
    for (ReadRequest.Selection selection : request.selections()) {
      response.add(selection);
    }
    response.pieces.end();
    return response;
  }

  private void add(ReadRequest.Selection selection) {
    SelectionPlan plan = new SelectionPlan(db, names, selection);
    SnappyPieces result = SnappyPieces.of(budget.memory());
    for (Query query : plan.queries(budget)) {
      try (SeriesCursor series = db.query(query, budget)) {
        for (ResultSeries each = series.next(); each != null; each = series.next()) {
          if (plan.passes(each.tags())) {
            add(each, selection, result);
          }
        }
      } catch (NoSuchNameException e) {
        // It was deleted a moment ago.
      }
    }
    result.end();
    pieces.field().head(RESULT, result.length());
    pieces.add(result);
  }

  /** A series without points in the range is left out. */
  private void add(ResultSeries series, ReadRequest.Selection selection, SnappyPieces to) {
    int from = firstAt(series, selection.startMillis());
    int end = firstAfter(series, selection.endMillis());
    if (from >= end) {
      return;
    }
    byte[] labels = labels(series);
    long length = labels.length;
    for (int i = from; i < end; i++) {
      length += ProtoBytes.length(sampleLength(series.millis(i)));
    }
    to.field().head(SERIES, length);
    to.put(labels);
    for (int i = from; i < end; i++) {
      long millis = series.millis(i);
      ProtoBytes out = to.field();
      out.head(SAMPLE, sampleLength(millis));
      out.fixed64(VALUE, series.doubleValue(i));
      out.varint(TIME, millis);
    }
  }

  private static int sampleLength(long millis) {
    return VALUE_BYTES + 1 + ProtoBytes.varintLength(millis);
  }

  private static int firstAt(ResultSeries series, long millis) {
    int low = 0;
    int high = series.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (series.millis(middle) < millis) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private static int firstAfter(ResultSeries series, long millis) {
    return millis == Long.MAX_VALUE ? series.size() : firstAt(series, millis + 1);
  }

  /** The labels as fields, sorted by the bytes of their names. */
  private byte[] labels(ResultSeries series) {
    Map<Bytes, byte[]> labels = new TreeMap<>();
    put(labels, LabelSets.METRIC, names.metric(series.metric()));
    series.tags().forEach((tagk, tagv) -> put(labels, names.label(tagk), names.original(tagv)));
    long length = 0;
    for (Map.Entry<Bytes, byte[]> label : labels.entrySet()) {
      length += ProtoBytes.length(length(label));
    }
    ProtoBytes fields = new ProtoBytes(Math.toIntExact(length));
    for (Map.Entry<Bytes, byte[]> label : labels.entrySet()) {
      byte[] name = label.getKey().array();
      fields.head(LABEL, length(label));
      fields.bytes(LabelSets.NAME, name, 0, name.length);
      fields.bytes(LabelSets.VALUE, label.getValue(), 0, label.getValue().length);
    }
    return Arrays.copyOf(fields.bytes(), fields.size());
  }

  private static long length(Map.Entry<Bytes, byte[]> label) {
    return ProtoBytes.length(label.getKey().array().length)
        + ProtoBytes.length(label.getValue().length);
  }

  /** The tag of series without tags has an empty name. */
  private static void put(Map<Bytes, byte[]> labels, String name, String value) {
    if (!name.isEmpty() && !value.isEmpty()) {
      labels.put(new Bytes(name.getBytes(UTF_8)), value.getBytes(UTF_8));
    }
  }

  @Override
  public void writeTo(OutputStream out) throws IOException {
    pieces.writeTo(out);
  }

  @Override
  public void close() {}
}
