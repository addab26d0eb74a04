package org.hourstone.clients;

import java.util.concurrent.TimeUnit;
import org.influxdb.BatchOptions;
import org.influxdb.InfluxDB;
import org.influxdb.InfluxDBException;
import org.influxdb.InfluxDBFactory;
import org.influxdb.dto.Point;
import org.influxdb.dto.Query;

/** Creates a database, writes a batch to it, and asks what is refused: {@code HOST PORT}. */
final class InfluxDbProgram {
  private InfluxDbProgram() {}

  public static void main(String[] args) {
    String url = "http://" + args[0] + ":" + args[1];
    try (InfluxDB influx = InfluxDBFactory.connect(url, "user", "password")) {
      System.out.println("ping " + influx.ping().isGood() + " " + influx.version());
      System.out.println(
          "created " + influx.query(new Query("CREATE DATABASE \"metrics\"")).hasError());
      System.out.println(
          "shown "
              + influx
                  .query(new Query("SHOW DATABASES"))
                  .getResults()
                  .get(0)
                  .getSeries()
                  .get(0)
                  .getValues());
      influx.setDatabase("metrics").enableGzip();
      influx.enableBatch(BatchOptions.DEFAULTS.actions(100).flushDuration(60_000));
      for (int i = 0; i < 250; i++) {
        influx.write(
            Point.measurement("jobs")
                .time(1_500_000_000L + i, TimeUnit.SECONDS)
                .tag("queue", "q" + i % 2)
                .addField("waiting", (long) i)
                .addField("seconds", i / 4.0)
                .build());
      }
      influx.disableBatch();
      try {
        influx.write("jobs,queue=q0 waiting=9i -5");
      } catch (InfluxDBException e) {
        System.out.println("refused " + e.getMessage());
      }
      try {
        System.out.println(influx.query(new Query("SELECT * FROM jobs")));
      } catch (InfluxDBException e) {
        System.out.println("refused " + e.getMessage());
      }
    }
  }
}
