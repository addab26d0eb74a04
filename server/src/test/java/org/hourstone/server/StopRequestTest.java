package org.hourstone.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.hourstone.DaemonSettings;
import org.hourstone.TsdbOptions;
import org.junit.jupiter.api.Test;

/** Clients stop the daemon only if they may. */
class StopRequestTest {
  private static String telnet(Served served) throws IOException {
    try (Client client = served.connect()) {
      client.send("diediedie\nexit\n");
      return client.rest();
    }
  }

  @Test
  void byDefaultTheyMayNot() throws IOException {
    AtomicInteger asked = new AtomicInteger();
    try (Served served = Served.start()) {
      served.server().whenAskedToStop(asked::incrementAndGet);

      assertThat(telnet(served)).startsWith("unknown command: diediedie");
      assertThat(served.get("/diediedie").status()).isEqualTo(404);
    }
    assertThat(asked).hasValue(0);
  }

  @Test
  void aSettingAllowsIt() throws IOException {
    AtomicInteger asked = new AtomicInteger();
    try (Served served =
        Served.start(TsdbOptions.defaults().with(DaemonSettings.NO_DIEDIEDIE, "false"))) {
      served.server().whenAskedToStop(asked::incrementAndGet);

      assertThat(telnet(served)).isEqualTo("Cleaning up and exiting now.\n");
      assertThat(served.get("/diediedie").body()).isEqualTo("Cleaning up and exiting now.\n");
    }
    assertThat(asked).hasValue(2);
  }

  @Test
  void statisticsOfQueriesAndRegionClientsHaveTheirShapes() throws IOException {
    try (Served served = Served.start()) {
      assertThat(served.get("/api/stats/query").body())
          .isEqualTo("{\"running\":[],\"completed\":[]}");
      assertThat(served.get("/api/stats/region_clients").body()).isEqualTo("[]");
    }
  }
}
