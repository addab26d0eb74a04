package org.hourstone.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.hourstone.QuerySettings;
import org.hourstone.Settings;
import org.hourstone.TsdbOptions;
import org.hourstone.clients.ClientProgram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Programs with the published clients of OpenTSDB and InfluxDB for Java, each in a process of its
 * own.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class JavaClientsTest {
  private static TsdbOptions options() {
    return TsdbOptions.defaults()
        .with(Settings.AUTO_CREATE_METRICS, "true")
        .with(QuerySettings.ALLOW_DELETE, "true");
  }

  @Test
  void micrometerPublishes() throws IOException {
    try (Served served = Served.start(options().with(Settings.ALLOW_SPECIALCHARS, "+"))) {
      assertThat(ClientProgram.MICROMETER.run(served.address())).contains("waiting 7");

      assertThat(served.points("shop_orders_total")).singleElement().asString().endsWith(" 3");
      assertThat(served.points("shop_waiting")).singleElement().asString().endsWith(" 7");
      assertThat(served.points("shop_time_duration_seconds_bucket{le=+Inf}"))
          .singleElement()
          .asString()
          .contains("path=/buy")
          .endsWith(" 2");
    }
  }

  @Test
  void whatMicrometerSendsThatIsNoTagIsRefusedAndTheRestStored() throws IOException {
    try (Served served = Served.start(options())) {
      ClientProgram.MICROMETER.run(served.address());

      assertThat(served.points("shop_waiting")).singleElement().asString().endsWith(" 7");
      assertThat(served.points("shop_time_duration_seconds_bucket"))
          .isNotEmpty()
          .noneMatch(point -> point.contains("Inf"));
    }
  }

  @Test
  void micrometerPublishesByOtlp() throws IOException {
    try (Served served = Served.start(options())) {
      assertThat(ClientProgram.MICROMETER_OTLP.run(served.address())).contains("waiting 7");

      String identity = "service.instance.id=one, service.name=shop}";
      assertThat(served.points("shop.orders"))
          .singleElement()
          .asString()
          .startsWith("shop.orders{region=eu, " + identity)
          .endsWith(" 3.0");
      assertThat(served.points("shop.waiting"))
          .singleElement()
          .asString()
          .startsWith("shop.waiting{" + identity)
          .endsWith(" 7.0");
      assertThat(served.points("shop.time.bucket")).hasSize(2);
      assertThat(served.points("shop.time.bucket{le=500}"))
          .singleElement()
          .asString()
          .startsWith("shop.time.bucket{le=500, path=U__/buy_20_it, " + identity)
          .endsWith(" 1");
      assertThat(served.points("shop.time.sum")).singleElement().asString().endsWith(" 1000.0");
      assertThat(served.points("shop.time.count")).singleElement().asString().endsWith(" 2");
      assertThat(served.points("shop.sizes.count")).singleElement().asString().endsWith(" 2");
      assertThat(served.points("shop.sizes.sum")).singleElement().asString().endsWith(" 30.0");
      assertThat(served.points("shop.sizes{quantile=0.5}")).hasSize(1);
    }
  }

  @Test
  void openTelemetryExports() throws IOException {
    try (Served served = Served.start(options())) {
      assertThat(ClientProgram.OPENTELEMETRY.run(served.address()))
          .isEqualTo("exported true true" + System.lineSeparator());

      String identity = "service.instance.id=one, service.name=shop} ";
      String eu = "{region=eu, " + identity;
      assertThat(valuesOf(served.points("orders"), "orders" + eu)).containsExactly("3", "7");
      assertThat(valuesOf(served.points("temperature"), "temperature" + eu))
          .containsExactly("21.5", "21.5");
      assertThat(
              valuesOf(
                  served.points("waiting"),
                  "waiting{list=U___5b__22_a_22__5d_, n=5, "
                      + identity.replace("} ", ", vip=true} ")))
          .containsExactly("-7", "-7");
      assertThat(served.points("time.bucket{le=0.1}")).allMatch(point -> point.endsWith(" 0"));
      assertThat(served.points("time.bucket{le=1}")).hasSize(2).allMatch(p -> p.endsWith(" 1"));
      assertThat(served.points("time.bucket{le=inf}")).hasSize(2).allMatch(p -> p.endsWith(" 2"));
      assertThat(valuesOf(served.points("time.sum"), "time.sum" + eu)).contains("10.25");
      assertThat(valuesOf(served.points("time.min"), "time.min" + eu)).contains("0.25");
      assertThat(valuesOf(served.points("time.max"), "time.max" + eu)).contains("10.0");
      assertThat(valuesOf(served.points("time.count"), "time.count" + eu)).contains("2");
      assertThat(served.points("fine.bucket{le=1}")).hasSize(2).allMatch(p -> p.endsWith(" 1"));
      assertThat(served.points("fine.bucket{le=2}")).hasSize(2).allMatch(p -> p.endsWith(" 1"));
      assertThat(served.points("fine.bucket{le=4}")).isEmpty();
      assertThat(served.points("fine.bucket{le=inf}")).hasSize(2).allMatch(p -> p.endsWith(" 2"));
      assertThat(valuesOf(served.points("fine.sum"), "fine.sum" + eu)).contains("4.0");
    }
  }

  /** Those of points of one series, in their order. */
  private static List<String> valuesOf(List<String> points, String series) {
    assertThat(points).allMatch(point -> point.startsWith(series));
    return points.stream().map(point -> point.substring(point.lastIndexOf(' ') + 1)).toList();
  }

  @Test
  void dropwizardReportsByHttpAndTelnet() throws IOException {
    try (Served served = Served.start(options())) {
      ClientProgram.DROPWIZARD.run(served.address());

      for (String protocol : List.of("http", "telnet")) {
        assertThat(served.points(protocol + ".jobs.count"))
            .as(protocol)
            .singleElement()
            .asString()
            .startsWith(protocol + ".jobs.count{host=web01} ")
            .endsWith(" 42");
        assertThat(served.points(protocol + ".sizes.mean"))
            .singleElement()
            .asString()
            .endsWith(" 50.5");
      }
    }
  }

  @Test
  void eulerySdkPutsQueriesSuggestsAndDeletes() throws IOException {
    try (Served served = Served.start(options())) {
      assertThat(ClientProgram.EULERY.run(served.address()).lines())
          .contains(
              "read {1500000000=1, 1500000060=2.5, 1500000120=3}",
              "metrics [eulery]",
              "error No such name for 'metrics': 'no.such.metric'",
              "left {1500000120=3}");
      assertThat(served.points("eulery")).hasSize(101);
    }
  }

  @Test
  void influxClientWritesAndLearnsWhatIsRefused() throws IOException {
    try (Served served = Served.start(options())) {
      assertThat(ClientProgram.INFLUX_CLIENT.run(served.address()).lines())
          .contains("ping true 1.8.0")
          .anyMatch(
              line -> line.startsWith("refused 400") && line.contains("line 2: the value of free"));

      String tag = "{floor=U__1st_2c__20_left_20__3d__20_west}";
      assertThat(served.points("U__room_20_1.degrees"))
          .containsExactly("U__room_20_1.degrees" + tag + " 1500000000 21.25");
      assertThat(served.points("U__room_20_1.people"))
          .containsExactly(
              "U__room_20_1.people" + tag + " 1500000000 3",
              "U__room_20_1.people" + tag + " 1500000001500 " + Long.MAX_VALUE);
      assertThat(served.points("U__room_20_1.open")).singleElement().asString().endsWith(" 1");
      assertThat(served.points("disk.free")).hasSize(1);
    }
  }

  @Test
  void influxDbCreatesADatabaseAndWritesABatch() throws IOException {
    try (Served served = Served.start(options())) {
      assertThat(ClientProgram.INFLUX_DB.run(served.address()).lines())
          .contains("ping true 1.8.0", "created false", "shown [[hourstone]]")
          .anyMatch(line -> line.startsWith("refused partial write: line 1: the time -1 ms"))
          .anyMatch(line -> line.startsWith("refused only SHOW DATABASES"));

      assertThat(served.points("jobs.waiting")).hasSize(250);
      assertThat(served.points("jobs.seconds{queue=q1}"))
          .hasSize(125)
          .contains("jobs.seconds{queue=q1} 1500000003 0.75");
    }
  }

  @Test
  void micrometerPublishesToInflux() throws IOException {
    try (Served served = Served.start(options())) {
      assertThat(ClientProgram.MICROMETER_INFLUX.run(served.address())).contains("waiting 7");

      for (String version : List.of("v1", "v2")) {
        assertThat(served.points(version + "_orders.value"))
            .singleElement()
            .asString()
            .contains("region=U__eu_20_west")
            .endsWith(" 3.0");
        assertThat(served.points(version + "_waiting.value"))
            .singleElement()
            .asString()
            .endsWith(" 7.0");
        assertThat(served.points(version + "_time.sum"))
            .singleElement()
            .asString()
            .endsWith(" 1000.0");
      }
    }
  }
}
