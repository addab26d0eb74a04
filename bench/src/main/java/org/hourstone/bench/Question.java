package org.hourstone.bench;

import java.nio.ByteBuffer;
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
 * @param ofOneHost whether the rows of {@link PeerQuestion#HOST} alone are wanted
 */
record Question(String name, List<Query> queries, boolean ofOneHost) {
  /** About a workload that lasts so long. */
  static Question of(PeerQuestion question, int seconds) {
    long start = DevopsWorkload.START * 1000;
    long end = start + question.seconds(seconds) * 1000L;
    return new Question(
        question.title(),
        question.expressions().stream()
            .map(expression -> Query.parse(expression).betweenMillis(start, end - 1))
            .toList(),
        question.compareTo(PeerQuestion.Q2) <= 0);
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
    if (!ofOneHost) {
      return RowFilter.any();
    }
    Schema schema = db.engine().options().schema();
    byte[] tagk = db.uids().uid(UidKind.TAGK, "host");
    byte[] tagv = db.uids().uid(UidKind.TAGV, PeerQuestion.HOST);
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
