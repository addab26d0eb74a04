package org.hourstone.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.hourstone.DaemonSettings;
import org.hourstone.QuerySettings;
import org.hourstone.Settings;
import org.hourstone.TsdbOptions;
import org.junit.jupiter.api.Test;

/** A daemon that only reads or only writes has only those endpoints and commands. */
class ServerModeTest {
  private static final String POINT =
      "{\"metric\":\"m\",\"timestamp\":1500000000,\"value\":1,\"tags\":{\"h\":\"a\"}}";
  private static final String QUERY = "/api/query?start=1500000000&m=none:m";

  private static Served start(String mode) throws IOException {
    return Served.start(
        TsdbOptions.defaults()
            .with(Settings.AUTO_CREATE_METRICS, "true")
            .with(QuerySettings.ALLOW_DELETE, "true")
            .with(DaemonSettings.MODE, mode));
  }

  private static String reply(Served served, String line) throws IOException {
    try (Client client = served.connect()) {
      client.send(line + "\nversion\n");
      return client.line();
    }
  }

  @Test
  void readsOnly() throws IOException {
    try (Served served = start("ro")) {
      for (String path :
          List.of(
              "/api/put",
              "/api/v1/put",
              "/api/rollup",
              "/api/histogram",
              "/api/v1/write",
              "/api/annotation")) {
        assertThat(served.post(path, POINT).status()).as(path).isEqualTo(404);
      }
      for (String path : List.of("/api/uid/assign?metric=m", "/api/uid/nosuch", "/api/tree")) {
        assertThat(served.get(path).status()).as(path).isEqualTo(404);
      }
      for (String line :
          List.of("put m 1500000000 1 h=a", "rollup 1h-sum m 1500000000 1 h=a", "histogram m")) {
        assertThat(reply(served, line)).as(line).startsWith("unknown command: ");
      }
      assertThat(served.get("/api/suggest?type=metrics").body()).isEqualTo("[]");
      assertThat(served.get("/api/stats").status()).isEqualTo(200);
      assertThat(Client.request(served.address(), "DELETE", QUERY, "").body())
          .contains("Deleting data needs tsd.mode=rw");
    }
  }

  @Test
  void writesOnly() throws IOException {
    try (Served served = start("wo")) {
      assertThat(served.post("/api/put?sync", POINT).status()).isEqualTo(204);
      assertThat(reply(served, "put m 1500000001 1 h=a")).startsWith("hourstone ");
      for (String path :
          List.of(
              QUERY,
              "/api/query/last?timeseries=m",
              "/api/query/gexp?exp=sum:m",
              "/api/search/lookup?m=m",
              "/api/search/nosuch",
              "/api/suggest?type=metrics",
              "/suggest?type=metrics")) {
        assertThat(served.get(path).status()).as(path).isEqualTo(404);
      }
      assertThat(served.get("/api/version").status()).isEqualTo(200);
    }
  }

  @Test
  void deletionIsOffUnlessASettingAllowsIt() throws IOException {
    String body =
        "{\"start\":1500000000,\"delete\":true,\"queries\":[{\"metric\":\"m\",\"aggregator\":\"none\"}]}";
    try (Served served = Served.start()) {
      served.post("/api/put?sync", POINT);
      for (String uri : List.of(QUERY + "&delete=true", QUERY + "&method_override=delete")) {
        served.get(uri);
      }
      assertThat(Client.request(served.address(), "DELETE", QUERY, "").status()).isEqualTo(400);
      assertThat(
              Client.request(served.address(), "DELETE", "/api/v1" + QUERY.substring(4), "")
                  .status())
          .isEqualTo(400);
      assertThat(served.post("/api/query", body).status()).isEqualTo(400);
      assertThat(served.points("m")).hasSize(1);
    }
  }
}
