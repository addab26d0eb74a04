package org.hourstone.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.hourstone.MemorySettings;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.api.request.Disconnection;
import org.hourstone.api.request.Role;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.store.ModelStore;

/** Bodies of lines, sent to an empty database. */
final class TextBodies {
  private TextBodies() {}

  /**
   * Checks that a body is stored, or refused for a reason that names a line.
   *
   * @param reason with what the response of a refusal begins, up to the number of the line
   * @param types each with which the body is sent
   */
  static void check(String uri, byte[] body, String reason, String... types) {
    ManualClock clock = new ManualClock(Instant.ofEpochSecond(1_500_001_400));
    try (ModelStore store = new ModelStore(clock);
        Tsdb db =
            Tsdb.over(
                store,
                TsdbOptions.defaults()
                    .withClock(clock)
                    .with(Settings.COMPACTION_BACKGROUND, "false")
                    .with(Settings.AUTO_CREATE_METRICS, "true")
                    .with(MemorySettings.WRITE_THREADS, "1"))) {
      Api api = new Api(db);
      for (int round = 0; round < 2; round++) { // its series are known the second time
        for (String type : types) {
          try (ApiResponse response =
              api.respond("POST", uri, type, body, new Disconnection(), Role.all())) {
            assertThat(response.status()).isIn(204, 400);
            if (response.status() == 400) {
              assertThat(response.body()).containsPattern(reason + "\\d+: ");
            }
          }
        }
      }
    }
  }
}
