package org.hourstone.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLEncoder;
import java.util.List;

/** Questions about W1 that servers with different languages answer with the same numbers. */
enum PeerQuestion {
  Q1("one series, 1 h, raw", 3600, "none:%s{host=host_0}", 1),
  Q2("one series, all, raw", Integer.MAX_VALUE, "none:%s{host=host_0}", 1),
  Q3("5 m average of each series, summed", Integer.MAX_VALUE, "sum:5m-avg:%s", 1),
  Q4("5 m average of each series", Integer.MAX_VALUE, "sum:5m-avg:%s{host=*}", 1),
  Q5("Q4 of all ten metrics", Integer.MAX_VALUE, "sum:5m-avg:%s{host=*}", 10),
  Q6("1 h maximum by region", Integer.MAX_VALUE, "max:1h-max:%s{region=*}", 1);

  static final String METRIC = DevopsWorkload.METRICS.get(0);
  static final String HOST = "host_0";

  private final String title;
  private final int seconds;
  private final String expression;
  private final int metrics;

  PeerQuestion(String title, int seconds, String expression, int metrics) {
    this.title = title;
    this.seconds = seconds;
    this.expression = expression;
    this.metrics = metrics;
  }

  String title() {
    return name() + " " + title;
  }

  /** How many it asks for, of a workload that lasts so long. */
  int seconds(int all) {
    return Math.min(seconds, all);
  }

  /** In OpenTSDB's language. */
  List<String> expressions() {
    return DevopsWorkload.METRICS.stream().limit(metrics).map(expression::formatted).toList();
  }

  /** The request of OpenTSDB's API, of a workload that lasts so long. */
  String uri(int all) {
    long start = DevopsWorkload.START;
    StringBuilder uri =
        new StringBuilder("/api/query?start=" + start + "&end=" + (start + seconds(all) - 1));
    for (String one : expressions()) {
      uri.append("&m=").append(URLEncoder.encode(one, UTF_8));
    }
    return uri.toString();
  }
}
