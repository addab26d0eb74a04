package org.hourstone.clients;

import java.util.List;
import org.opentsdb.client.OpenTSDBClient;
import org.opentsdb.client.OpenTSDBClientFactory;
import org.opentsdb.client.OpenTSDBConfig;
import org.opentsdb.client.bean.request.Point;
import org.opentsdb.client.bean.request.Query;
import org.opentsdb.client.bean.request.SubQuery;
import org.opentsdb.client.bean.request.SuggestQuery;
import org.opentsdb.client.exception.http.HttpException;

/** Puts, queries, suggests and deletes, and prints what it reads: {@code HOST PORT}. */
final class EuleryProgram {
  private static final long START = 1_500_000_000;

  private EuleryProgram() {}

  public static void main(String[] args) throws Exception {
    OpenTSDBClient client =
        OpenTSDBClientFactory.connect(
            OpenTSDBConfig.address("http://" + args[0], Integer.parseInt(args[1])).config());
    client.putSync(point(0, 1));
    client.putSync(List.of(point(60, 2.5), point(120, 3)));
    for (int i = 0; i < 100; i++) {
      client.put(point(1_000 + i, i)); // in batches, by threads of its own
    }
    System.out.println("read " + client.query(query(200)).get(0).getDps());
    System.out.println(
        "metrics "
            + client.querySuggest(
                SuggestQuery.type(SuggestQuery.Type.METRICS).q("eul").max(1_000_000).build()));
    try {
      client.query(
          Query.begin(START)
              .sub(SubQuery.metric("no.such.metric").aggregator(SubQuery.Aggregator.SUM).build())
              .build());
    } catch (HttpException e) {
      System.out.println("error " + e.getErrorResponse().getError().getMessage());
    }
    client.delete(query(70));
    System.out.println("left " + client.query(query(200)).get(0).getDps());
    client.gracefulClose();
  }

  private static Point point(long second, Number value) {
    return Point.metric("eulery").tag("host", "web01").value(START + second, value).build();
  }

  private static Query query(long seconds) {
    return Query.begin(START)
        .end(START + seconds)
        .sub(
            SubQuery.metric("eulery")
                .aggregator(SubQuery.Aggregator.SUM)
                .tag("host", "web01")
                .build())
        .build();
  }
}
