package org.hourstone.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.hourstone.DaemonSettings;
import org.hourstone.Settings;
import org.hourstone.TsdbOptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Both protocols in TLS. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class TlsTest {
  private static final char[] PASSWORD = "changeit".toCharArray();

  @TempDir static Path directory;
  private static SSLContext client;

  @BeforeAll
  static void makeCertificate() throws Exception {
    Path store = directory.resolve("store.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "test",
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass",
                "changeit")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    assertThat(keytool.waitFor()).isZero();
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD);
    }
    Certificate certificate = keys.getCertificate("test");
    pem("certificate.pem", "CERTIFICATE", certificate.getEncoded());
    pem("key.pem", "PRIVATE KEY", keys.getKey("test", PASSWORD).getEncoded());
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("server", certificate);
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    client = SSLContext.getInstance("TLS");
    client.init(null, trust.getTrustManagers(), null);
  }

  private static void pem(String name, String kind, byte[] content) throws Exception {
    String text =
        "-----BEGIN %s-----\n%s\n-----END %s-----\n"
            .formatted(
                kind,
                Base64.getMimeEncoder(64, "\n".getBytes(US_ASCII)).encodeToString(content),
                kind);
    Files.writeString(directory.resolve(name), text);
  }

  private static TsdbOptions options(String certificate, String key) {
    return TsdbOptions.defaults()
        .with(Settings.AUTO_CREATE_METRICS, "true")
        .with(
            DaemonSettings.TLS_CERTIFICATE,
            certificate.isEmpty() ? "" : directory.resolve(certificate).toString())
        .with(DaemonSettings.TLS_KEY, key.isEmpty() ? "" : directory.resolve(key).toString());
  }

  private static Client connect(Served served) throws Exception {
    return new Client(
        client
            .getSocketFactory()
            .createSocket(served.address().getAddress(), served.address().getPort()));
  }

  @Test
  void bothProtocolsAreSpokenInTls() throws Exception {
    try (Served served = Served.start(options("certificate.pem", "key.pem"))) {
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
    try (Served served = Served.start(options("certificate.pem", "key.pem"));
        Client plain = served.connect()) {
      plain.send("GET /api/version HTTP/1.1\r\nHost: localhost\r\n\r\n");

      assertThat(plain.rest()).doesNotContain("HTTP/1.1");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"RSA", "EC", "ENCRYPTED"})
  void aKeyInAnotherFormIsReportedWithItsConversion(String form) throws Exception {
    pem("other.pem", form + " PRIVATE KEY", new byte[100]);
    String key = directory.resolve("other.pem").toString();

    assertThatThrownBy(() -> Served.start(options("certificate.pem", "other.pem")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(
            "with the key " + key + ": the key is not in PKCS 8, or encrypted; this converts it:")
        .hasMessageEndingWith(" openssl pkcs8 -topk8 -nocrypt -in " + key + " -out pkcs8.pem");
  }

  @Test
  void filesThatCannotBeUsedAreReported() {
    assertThatThrownBy(() -> Served.start(options("certificate.pem", "")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("hourstone.tls.certificate and hourstone.tls.key must be set together");
    assertThatThrownBy(() -> Served.start(options("key.pem", "key.pem")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("can't use the certificate ");
    assertThatThrownBy(() -> Served.start(options("certificate.pem", "nosuch.pem")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("nosuch.pem");
  }
}
