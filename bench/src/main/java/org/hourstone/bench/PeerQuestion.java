package org.hourstone.bench;

/** Questions about W1 that servers with different languages answer with the same numbers. */
enum PeerQuestion {
  Q1("one series, 1 h, raw"),
  Q2("one series, all, raw"),
  Q3("5 m average of each series, summed"),
  Q4("5 m average of each series"),
  Q5("Q4 of all ten metrics"),
  Q6("1 h maximum by region");

  static final String METRIC = DevopsWorkload.METRICS.get(0);
  static final String HOST = "host_0";

  private final String title;

  PeerQuestion(String title) {
    this.title = title;
  }

  String title() {
    return name() + " " + title;
  }
}
