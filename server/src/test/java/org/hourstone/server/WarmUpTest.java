package org.hourstone.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.hourstone.Tsdb;
import org.hourstone.api.Api;
import org.hourstone.api.Telnet;
import org.hourstone.api.request.ApiCall;
import org.junit.jupiter.api.Test;

class WarmUpTest {
  @Test
  void whatItAsksForIsAnswered() {
    try (Tsdb db = Tsdb.open("memory:")) {
      Api api = new Api(db);
      WarmUp.round(api, new Telnet(db), 0);
      WarmUp.round(api, new Telnet(db), 1);
      db.flush();

      assertThat(db.writer().stats().stored()).isEqualTo(102);
      for (String query : WarmUp.QUERIES) {
        assertThat(api.respond(ApiCall.of("GET", query, "")).body())
            .as(query)
            .contains("warm.up")
            .isNotEqualTo("[]");
      }
    }
  }

  @Test
  void theServedDatabaseIsNotTouched() throws Exception {
    try (Served served = Served.start()) {
      served.server().warmUp();
      assertThat(served.get("/healthz").status()).isEqualTo(200);
      assertThat(served.points("warm.up")).isEqualTo(List.of());
      assertThat(served.get("/api/suggest?type=metrics").body()).isEqualTo("[]");
    }
  }
}
