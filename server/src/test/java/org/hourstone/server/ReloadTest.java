package org.hourstone.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.hourstone.DaemonSettings;
import org.hourstone.TsdbOptions;
import org.hourstone.server.Client.Response;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Accounts and certificates are replaced without a restart, by files that can be used. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ReloadTest {
  private static final String URI = "/api/admin/reload";

  @TempDir Path directory;

  private static Response send(Served served, String token, String method, String uri, String body)
      throws IOException {
    try (Client client = served.connect()) {
      client.sendRequest(
          method, uri, "Authorization: Bearer " + token + "\r\n", body.getBytes(UTF_8));
      return client.response();
    }
  }

  @Test
  void newAccountsCountFromTheNextRequestOnAndBrokenOnesDoNot() throws IOException {
    String admin = Accounts.tokenLine("admin", "admin", "admin-token");
    Path file = Files.write(directory.resolve("accounts"), List.of(admin));
    TsdbOptions options =
        TsdbOptions.defaults()
            .with(DaemonSettings.AUTHENTICATION, "true")
            .with(DaemonSettings.ACCOUNTS, file.toString());
    try (Served served = Served.start(options)) {
      String added = Accounts.tokenLine("reader", "read", "reader-token");
      Files.write(file, List.of(admin, added));
      assertThat(send(served, "reader-token", "GET", "/api/version", "").status()).isEqualTo(401);

      Response done = send(served, "admin-token", "POST", URI, "");
      assertThat(done.status()).isEqualTo(200);
      assertThat(done.body()).isEqualTo("{\"reloaded\":[\"" + file + "\"]}");
      assertThat(send(served, "reader-token", "GET", "/api/version", "").status()).isEqualTo(200);
      assertThat(send(served, "reader-token", "POST", URI, "").status()).isEqualTo(403);

      Files.write(file, List.of(admin, "nonsense"));
      Response refused = send(served, "admin-token", "POST", URI, "");
      assertThat(refused.status()).isEqualTo(409);
      assertThat(refused.body()).contains("Nothing is reloaded", "accounts:2: not a name");
      assertThat(send(served, "reader-token", "GET", "/api/version", "").status()).isEqualTo(200);

      Files.write(file, List.of(admin));
      served.server().reload(); // as SIGHUP does
      assertThat(send(served, "reader-token", "GET", "/api/version", "").status()).isEqualTo(401);
      assertThat(send(served, "admin-token", "GET", "/metrics", "").body())
          .contains("hourstone_reloads_total{result=\"done\"} 2.0")
          .contains("hourstone_reloads_total{result=\"failed\"} 1.0");
      assertThat(send(served, "admin-token", "GET", "/logs", "").body())
          .contains("reloaded: " + file, "nothing is reloaded: " + file + ":2: ");
      assertThat(send(served, "admin-token", "POST", URI, "{\"a\":1}").status()).isEqualTo(400);
      assertThat(send(served, "admin-token", "POST", URI, "{}").status()).isEqualTo(200);
      assertThat(send(served, "admin-token", "GET", URI, "").status()).isEqualTo(405);
    }
  }

  private static Response version(Served served, TlsFiles files, String trusted) throws Exception {
    try (Client client =
        new Client(
            files
                .clientOf(trusted)
                .getSocketFactory()
                .createSocket(served.address().getAddress(), served.address().getPort()))) {
      client.sendRequest("GET", "/api/version", "", new byte[0]);
      return client.response();
    }
  }

  private void copy(String from, String to) throws IOException {
    Files.copy(directory.resolve(from), directory.resolve(to), StandardCopyOption.REPLACE_EXISTING);
  }

  @Test
  void theNextConnectionGetsTheNewCertificateUnlessItCannotBeUsed() throws Exception {
    TlsFiles files = new TlsFiles(directory).make("old", "EC").make("new", "EC");
    copy("old.pem", "own.pem");
    copy("old.key", "own.key");
    try (Served served = Served.start(files.options("own.pem", "own.key"))) {
      assertThat(Server.hasFiles(served.db().engine().options())).isTrue();
      copy("new.pem", "own.pem");
      assertThatThrownBy(served.server()::reload)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("own.pem");
      assertThat(version(served, files, "old").status()).isEqualTo(200);

      copy("new.key", "own.key");
      served.server().reload();
      assertThat(version(served, files, "new").status()).isEqualTo(200);
      assertThatThrownBy(() -> version(served, files, "old")).isInstanceOf(SSLException.class);
    }
  }

  @Test
  void withoutFilesThereIsNothingToReload() throws IOException {
    try (Served served = Served.start()) {
      assertThat(Server.hasFiles(served.db().engine().options())).isFalse();
      assertThat(served.post(URI, "").body()).isEqualTo("{\"reloaded\":[]}");
    }
  }
}
