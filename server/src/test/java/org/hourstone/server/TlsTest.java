package org.hourstone.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.hourstone.TsdbOptions;
import org.hourstone.testkit.LoggedBy;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Both protocols in TLS. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class TlsTest {
  @TempDir static Path directory;
  private static TlsFiles files;
  private static SSLContext client;

  @BeforeAll
  static void makeCertificate() throws Exception {
    files = new TlsFiles(directory).make("certificate", "EC").make("rsa", "RSA");
    client = files.clientOf("certificate");
  }

  private static TsdbOptions options() {
    return files.options("certificate.pem", "certificate.key");
  }

  private static Client connect(Served served) throws Exception {
    return new Client(
        client
            .getSocketFactory()
            .createSocket(served.address().getAddress(), served.address().getPort()));
  }

  @Test
  void bothProtocolsAreSpokenInTls() throws Exception {
    try (Served served = Served.start(options())) {
      try (Client http = connect(served)) {
        for (int i = 0; i < 2; i++) {
          http.sendRequest("POST", "/api/suggest", "", "{\"type\":\"metrics\"}".getBytes(UTF_8));
          assertThat(http.response().body()).isEqualTo("[]");
        }
      }
      try (Client telnet = connect(served)) {
        telnet.send("put m 1500000000 1 h=a\n".repeat(1_000) + "version\nexit\n");
        assertThat(telnet.rest()).startsWith("hourstone ");
      }
      served.db().flush();
      assertThat(served.db().writer().stats().stored()).isEqualTo(1_000);
      try (Client refused = connect(served)) {
        refused.sendRequest("POST", "/api/put", "", new byte[2 << 20]);
        assertThat(refused.response().status()).isEqualTo(413);
      }
    }
  }

  @Test
  void plainConnectionsAreNotAnswered() throws Exception {
    try (Served served = Served.start(options());
        Client plain = served.connect()) {
      plain.send("GET /api/version HTTP/1.1\r\nHost: localhost\r\n\r\n");

      assertThat(plain.rest()).doesNotContain("HTTP/1.1");
    }
  }

  /** So that an operator who switches TLS on sees the clients that were forgotten. */
  @Test
  void connectionsWithoutAHandshakeAreLogged() throws Exception {
    try (Served served = Served.start(options());
        LoggedBy log = LoggedBy.anyThread("org.hourstone.refused")) {
      try (Client plain = served.connect()) {
        plain.send("put m 1500000000 1 h=a\n");
        assertThat(plain.rest()).doesNotContain("put");
      }
      log.await(1);
      assertThat(log.lines().get(0))
          .startsWith(
              "WARNING refused (failed_handshakes): without TLS, which hourstone.tls.certificate"
                  + " requires, from 127.0.0.1:");
      try (SSLSocket distrusting = socket(served, files.clientOf("rsa"))) {
        assertThatThrownBy(distrusting::startHandshake).isInstanceOf(SSLException.class);
      }
      log.await(2);
      assertThat(log.lines().get(1))
          .startsWith("WARNING refused (failed_handshakes): the handshake of TLS failed: ")
          .contains("certificate_unknown, from 127.0.0.1:");
    }
  }

  /** A scanner must not use up the lines of the log for refused points. */
  @Test
  void connectionsWithoutAHandshakeHaveAReasonOfTheirOwn() throws Exception {
    try (Served served = Served.start(options());
        LoggedBy log = LoggedBy.anyThread("org.hourstone.refused")) {
      for (int i = 0; i < 4; i++) {
        try (Client plain = served.connect()) {
          plain.send("put m 1500000000 1 h=a\n");
          assertThat(plain.rest()).doesNotContain("put");
        }
      }
      log.await(3);
      try (Client telnet = connect(served)) {
        telnet.send("put m 0 1 h=a\nexit\n");
        assertThat(telnet.rest()).contains("invalid timestamp");
      }
      log.await(4);
      assertThat(log.lines().get(3)).startsWith("WARNING refused (illegal_arguments): ");
      try (Client http = connect(served)) {
        http.sendRequest("GET", "/metrics", "", new byte[0]);
        assertThat(http.response().body())
            .contains(
                "hourstone_refused_total{reason=\"failed_handshakes\"} 4",
                "hourstone_refused_total{reason=\"illegal_arguments\"} 1");
      }
    }
  }

  private static SSLSocket socket(Served served, SSLContext context) throws Exception {
    return (SSLSocket)
        context
            .getSocketFactory()
            .createSocket(served.address().getAddress(), served.address().getPort());
  }

  /** The suite that the server chooses of those that a client offers; empty if it refuses. */
  private static String suite(Served served, SSLContext context, String protocol, String... suites)
      throws Exception {
    try (SSLSocket socket = socket(served, context)) {
      socket.setEnabledProtocols(new String[] {protocol});
      socket.setEnabledCipherSuites(suites);
      socket.startHandshake();
      return socket.getSession().getCipherSuite();
    } catch (SSLException refused) {
      return "";
    }
  }

  @Test
  void onlyStrongSuitesAreAccepted() throws Exception {
    SSLContext trusting = files.clientOf("rsa");
    List<String> accepted = new ArrayList<>();
    try (Served served = Served.start(files.options("rsa.pem", "rsa.key"))) {
      for (String suite : trusting.getSupportedSSLParameters().getCipherSuites()) {
        if (!suite(served, trusting, "TLSv1.2", suite).isEmpty()) {
          accepted.add(suite);
        }
      }
      assertThat(accepted)
          .containsExactlyInAnyOrder(
              "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
              "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
              "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256");
      for (String suite :
          List.of(
              "TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256")) {
        assertThat(suite(served, trusting, "TLSv1.3", suite)).isEqualTo(suite);
      }
    }
  }

  @Test
  void aSecondHandshakeOfAConnectionEndsIt() throws Exception {
    try (Served served = Served.start(options());
        SSLSocket socket = socket(served, client)) {
      socket.setSoTimeout(30_000);
      socket.setEnabledProtocols(new String[] {"TLSv1.2"});
      Client http = new Client(socket);
      http.sendRequest("GET", "/api/version", "", new byte[0]);
      assertThat(http.response().status()).isEqualTo(200);

      assertThatThrownBy(
              () -> {
                socket.startHandshake();
                while (socket.getInputStream().read() >= 0) {
                  // The server closes without an answer to the handshake.
                }
                throw new EOFException();
              })
          .isInstanceOf(IOException.class);

      assertThat(statistic(served, "tsd.connectionmgr.exceptions")).isEqualTo("1");
    }
  }

  private static String statistic(Served served, String metric) throws Exception {
    try (Client http = connect(served)) {
      http.sendRequest("GET", "/api/stats", "", new byte[0]);
      String stats = http.response().body();
      String after = stats.substring(stats.indexOf('"' + metric + '"'));
      return after.replaceAll("(?s)^.*?\"value\":\"?(\\d+).*$", "$1");
    }
  }
}
