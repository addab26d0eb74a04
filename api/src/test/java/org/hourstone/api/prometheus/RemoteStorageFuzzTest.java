package org.hourstone.api.prometheus;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.time.InstantSource;
import java.util.Arrays;
import org.hourstone.MemorySettings;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.api.Api;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.api.request.Disconnection;
import org.hourstone.api.request.Role;
import org.hourstone.testkit.store.ModelStore;

/**
 * Whatever the body of remote write or remote read is, the response is not a fault of the server.
 * The first byte of an input chooses one of them, the rest is the body.
 */
class RemoteStorageFuzzTest {
  @FuzzTest(maxExecutions = 30_000)
  void anyBodyIsAnswered(byte[] input) {
    int kind = input.length == 0 ? 0 : input[0] % 3;
    byte[] body = input.length == 0 ? input : Arrays.copyOfRange(input, 1, input.length);
    TsdbOptions options =
        TsdbOptions.defaults()
            .with(Settings.COMPACTION_BACKGROUND, "false")
            .with(Settings.AUTO_CREATE_METRICS, "true")
            .with(MemorySettings.WRITE_THREADS, "1");
    try (ModelStore store = new ModelStore(InstantSource.system());
        Tsdb db = Tsdb.over(store, options);
        ApiResponse response =
            new Api(db)
                .respond(
                    "POST",
                    kind == 0 ? "/api/v1/read" : "/api/v1/write",
                    kind == 1 ? RemoteStorageCase.V2 : "",
                    body,
                    new Disconnection(),
                    Role.all())) {
      assertThat(response.status()).isIn(200, 204, 400);
    }
  }
}
