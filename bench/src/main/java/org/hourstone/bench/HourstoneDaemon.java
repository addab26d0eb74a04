package org.hourstone.bench;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Our daemon over RocksDB. */
final class HourstoneDaemon extends Peer {
  private HourstoneDaemon(Process process, int port, Path data) {
    super(process, port, data);
  }

  /**
   * @param command starts the command line: words separated by blanks
   * @param set a setting other than its default, as {@code key=value}; empty for none
   */
  static HourstoneDaemon start(String command, String set, Path directory) throws IOException {
    int port = freePort();
    Path data = directory.resolve("data");
    List<String> words = new ArrayList<>(List.of(command.split(" ")));
    words.addAll(List.of("--store", "rocksdb:" + data));
    if (!set.isEmpty()) {
      words.addAll(List.of("--set", set));
    }
    words.addAll(List.of("tsd", "--port", "" + port));
    Process process = start(words, directory.resolve("log"));
    HourstoneDaemon started = new HourstoneDaemon(process, port, data);
    started.awaitPorts(port);
    return started;
  }

  @Override
  long stored() throws IOException {
    for (JsonNode statistic : json(get("/api/stats"))) {
      if (statistic.get("metric").asText().equals("tsd.datapoints.added")) {
        return statistic.get("value").asLong();
      }
    }
    throw new IOException("no count of points");
  }

  @Override
  void merge() {
    // It merges files when it sees fit.
  }

  @Override
  byte[] request(PeerQuestion question, int seconds) {
    return HttpConnection.get(question.uri(seconds));
  }

  @Override
  PeerAnswer sum(JsonNode answer) {
    long values = 0;
    double sum = 0;
    for (JsonNode series : answer) {
      for (Map.Entry<String, JsonNode> point : series.get("dps").properties()) {
        values++;
        sum += point.getValue().asDouble();
      }
    }
    return new PeerAnswer(values, sum);
  }

  @Override
  public String toString() {
    return "Hourstone";
  }
}
