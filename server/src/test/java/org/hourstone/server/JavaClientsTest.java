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

/** Programs with the published clients of OpenTSDB for Java, each in a process of its own. */
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
}
