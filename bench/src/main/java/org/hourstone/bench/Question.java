package org.hourstone.bench;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.hourstone.Tsdb;
import org.hourstone.codec.DuplicatePolicy;
import org.hourstone.codec.RowDecoder;
import org.hourstone.codec.RowPoints;
import org.hourstone.codec.Schema;
import org.hourstone.codec.coded.CodedPoints;
import org.hourstone.kv.CodedCell;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowFilter;
import org.hourstone.kv.RowPattern;
import org.hourstone.kv.RowPattern.Presence;
import org.hourstone.kv.RowPattern.Term;
import org.hourstone.kv.Scan;
import org.hourstone.query.Query;
import org.hourstone.query.SeriesCursor;
import org.hourstone.uid.UidKind;

/**
 * A question about the workload W1, from its start on: one or several queries.
 *
 * @param host the only host whose rows are wanted; empty for all
 */
record Question(String name, List<Query> queries, String host) {
  private static final String METRIC = DevopsWorkload.METRICS.get(0);
  private static final String FIRST_HOST = "host_0";

  /** Q1 to Q6, over a workload that lasts so long. */
  static List<Question> all(int seconds) {
    String oneSeries = "sum:" + METRIC + "{}{host=" + FIRST_HOST + "}";
    int hour = Math.min(3600, seconds);
    return List.of(
        new Question("Q1 one series, 1 h, raw", List.of(query(oneSeries, hour)), FIRST_HOST),
        new Question("Q2 one series, all, raw", List.of(query(oneSeries, seconds)), FIRST_HOST),
        new Question(
            "Q3 5 m average of each series, summed",
            List.of(query("sum:5m-avg:" + METRIC, seconds)),
            ""),
        new Question(
            "Q4 the same by host",
            List.of(query("sum:5m-avg:" + METRIC + "{host=*}", seconds)),
            ""),
        new Question("Q5 Q4 of all ten metrics", allMetrics(seconds), ""),
        new Question(
            "Q6 1 h maximum by region",
            List.of(query("max:1h-max:" + METRIC + "{region=*}", seconds)),
            ""));
  }

  private static List<Query> allMetrics(int seconds) {
    List<Query> queries = new ArrayList<>();
    for (String metric : DevopsWorkload.METRICS) {
      queries.add(query("sum:5m-avg:" + metric + "{host=*}", seconds));
    }
    return queries;
  }

  private static Query query(String expression, int seconds) {
    long start = DevopsWorkload.START * 1000;
    return Query.parse(expression).betweenMillis(start, start + seconds * 1000L - 1);
  }

  /**
   * The result of a query.
   *
   * @param points how many points were returned
   * @param rows how many rows were read for them
   */
  record Outcome(long points, long rows) {}

  /** Asks all queries at once. */
  Outcome ask(Tsdb db) {
    long points = 0;
    long rows = 0;
    double sum = 0;
    for (SeriesCursor cursor : db.queryAll(queries)) {
      try (SeriesCursor all = cursor) {
        for (var series = all.next(); series != null; series = all.next()) {
          for (int i = 0; i < series.size(); i++) {
            sum += series.doubleValue(i);
          }
          points += series.size();
        }
        rows += all.use().rows();
      }
    }
    return new Outcome(checked(points, sum), rows);
  }

  /**
   * Decodes the rows of the query and sums their values; returns their number. Coded cells are
   * decoded to points directly, as queries do.
   */
  long scanOnly(Tsdb db) {
    RowDecoder decoder = new RowDecoder(DuplicatePolicy.NEWEST_WINS, false);
    RowPoints decoded = new RowPoints();
    long points = 0;
    double sum = 0;
    for (Query query : queries) {
      try (RowCursor rows =
          db.engine().store().scan(db.engine().tables().points(), scan(query, db))) {
        for (Row row = rows.next(); row != null; row = rows.next()) {
          decoder.start();
          for (int i = 0; i < row.size(); i++) {
            CodedCell coded = row.coded();
            if (coded == null
                || !decoder.add(
                    to -> CodedPoints.addPoints(coded.bytes(), coded.start(), to),
                    row.writeTime(i))) {
              decoder.add(row.qualifier(i), row.value(i), row.writeTime(i));
            }
          }
          decoder.finish(decoded);
          for (int i = 0; i < decoded.size(); i++) {
            sum += decoded.toDouble(i);
          }
          points += decoded.size();
        }
      }
    }
    return checked(points, sum);
  }

  private Scan scan(Query query, Tsdb db) {
    return range(query, db).filter(filter(db)).columns(Columns.allAsStored());
  }

  private static Scan range(Query query, Tsdb db) {
    byte[] metric = db.uids().uid(UidKind.METRIC, query.metric());
    return Scan.range(
        bound(metric, query.startMillis() / 1000), bound(metric, query.endMillis() / 1000 + 1));
  }

  private RowFilter filter(Tsdb db) {
    if (host.isEmpty()) {
      return RowFilter.any();
    }
    Schema schema = db.engine().options().schema();
    byte[] tagk = db.uids().uid(UidKind.TAGK, "host");
    byte[] tagv = db.uids().uid(UidKind.TAGV, host);
    return new RowPattern(
        schema.tagsOffset(),
        schema.tagkWidth(),
        schema.tagvWidth(),
        List.of(new Term(tagk, Presence.ONE_OF, List.of(tagv))),
        false);
  }

  private static byte[] bound(byte[] metric, long seconds) {
    return ByteBuffer.allocate(metric.length + Schema.BASE_TIME_WIDTH)
        .put(metric)
        .putInt((int) seconds)
        .array();
  }

  private static long checked(long points, double sum) {
    if (points == 0 || Double.isNaN(sum)) {
      throw new IllegalStateException(points + " points, sum " + sum);
    }
    return points;
  }
}
