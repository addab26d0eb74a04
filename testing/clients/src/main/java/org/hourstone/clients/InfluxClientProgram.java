package org.hourstone.clients;

import com.influxdb.client.InfluxDBClient;
import com.influxdb.client.InfluxDBClientFactory;
import com.influxdb.client.WriteApiBlocking;
import com.influxdb.client.domain.WritePrecision;
import com.influxdb.client.write.Point;
import com.influxdb.exceptions.InfluxException;
import java.time.Instant;
import java.util.List;

/** Writes points of every type, then some that are refused: {@code HOST PORT}. */
final class InfluxClientProgram {
  private InfluxClientProgram() {}

  public static void main(String[] args) {
    String url = "http://" + args[0] + ":" + args[1];
    try (InfluxDBClient client =
        InfluxDBClientFactory.create(url, "a-token".toCharArray(), "org", "bucket").enableGzip()) {
      System.out.println("ping " + client.ping() + " " + client.version());
      WriteApiBlocking api = client.getWriteApiBlocking();
      Instant time = Instant.ofEpochSecond(1_500_000_000);
      api.writePoints(
          List.of(
              Point.measurement("room 1")
                  .addTag("floor", "1st, left = west")
                  .addField("degrees", 21.25)
                  .addField("people", 3L)
                  .addField("open", true)
                  .addField("note", "a \"quoted\\\" text,\nof = two lines")
                  .time(time, WritePrecision.NS),
              Point.measurement("room 1")
                  .addTag("floor", "1st, left = west")
                  .addField("people", Long.MAX_VALUE)
                  .time(time.plusMillis(1500), WritePrecision.MS)));
      try {
        api.writeRecords(WritePrecision.S, List.of("disk free=1i 1500000000", "disk free=x 1"));
      } catch (InfluxException e) {
        System.out.println("refused " + e.status() + " " + e.getMessage());
      }
    }
  }
}
