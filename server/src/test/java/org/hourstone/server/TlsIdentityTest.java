package org.hourstone.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.AbstractThrowableAssert;
import org.hourstone.TsdbOptions;
import org.hourstone.testkit.LoggedBy;
import org.hourstone.testkit.ManualClock;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A certificate and a key with which no client could connect are refused at the start. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class TlsIdentityTest {
  @TempDir static Path directory;
  private static TlsFiles files;

  @BeforeAll
  static void make() throws Exception {
    files =
        new TlsFiles(directory)
            .make("rsa", "RSA")
            .make("rsa2", "RSA")
            .make("pss", "RSASSA-PSS")
            .make("ec", "EC")
            .make("ec2", "EC", "-groupname", "secp384r1")
            .make("ed", "EdDSA")
            .make("ed2", "EdDSA")
            .make("dsa", "DSA")
            .make("root", "EC", "-ext", "bc:c", "-validity", "20")
            .make("issuer", "RSA", "-ext", "bc:c", "-signer", "root", "-validity", "10")
            .make("leaf", "EC", "-signer", "issuer", "-validity", "15")
            .make("short", "EC", "-validity", "1", "-signer", "issuer");
  }

  private static void start(TsdbOptions options) throws Exception {
    Served.start(options).close();
  }

  private static AbstractThrowableAssert<?, ? extends Throwable> assertRefused(
      String certificate, String key) {
    return assertThatThrownBy(() -> start(files.options(certificate, key)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"rsa", "pss", "ec", "ec2", "ed", "leaf"})
  void keysOfAllKindsServe(String name) throws Exception {
    TsdbOptions options = files.options(name + ".pem", name + ".key");
    try (Served served = Served.start(options);
        Client client =
            new Client(
                files
                    .clientOf(name)
                    .getSocketFactory()
                    .createSocket(served.address().getAddress(), served.address().getPort()))) {
      client.sendRequest("GET", "/healthz", "", new byte[0]);
      assertThat(client.response().status()).isEqualTo(200);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "rsa, rsa2",
    "rsa, ec",
    "rsa, pss",
    "rsa, ed",
    "ec, rsa",
    "ec, ec2",
    "ec2, ec",
    "ec, ed",
    "ed, ed2",
    "ed, ec",
    "pss, rsa",
    "leaf, ec",
    "dsa, ec"
  })
  void aKeyOfAnotherCertificateIsRefused(String certificate, String key) {
    assertRefused(certificate + ".pem", key + ".key")
        .hasMessageEndingWith("the key does not belong to the certificate of CN=" + certificate);
  }

  @Test
  void aKeyOfWhichNoClientKnowsTheKindIsRefused() {
    assertRefused("dsa.pem", "dsa.key").hasMessageContaining(": a handshake fails: ");
  }

  @Test
  void theKeyBelongsToTheFirstCertificate() {
    assertRefused("leaf.pem", "issuer.key")
        .hasMessageEndingWith(
            "the key belongs to certificate 2 of the file; the server's own must be the first");
  }

  @ParameterizedTest
  @CsvSource({
    "short, 2, the certificate of CN=short expired at ",
    "leaf, 11, the certificate of CN=issuer expired at ",
    "leaf, 16, the certificate of CN=leaf expired at ",
    "leaf, -1, the certificate of CN=leaf is not valid before ",
    "rsa, 1000, the certificate of CN=rsa expired at "
  })
  void aCertificateIsValidNow(String name, int days, String message) throws Exception {
    ManualClock clock = new ManualClock(Instant.now().plus(Duration.ofDays(days)));
    TsdbOptions options = files.options(name + ".pem", name + ".key").withClock(clock);
    assertThatThrownBy(() -> start(options))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @Test
  void textBesideTheBlocksIsIgnored() throws Exception {
    String key = files.read("ec.key");
    files.write("text.pem", "subject=CN = a\r\n" + files.read("ec.pem").replace("\n", "\r\n"));
    files.write(
        "text.key", "-----BEGIN EC PARAMETERS-----\nAAAA\n-----END EC PARAMETERS-----\n" + key);
    files.write("both.pem", key + files.read("ec.pem"));

    start(files.options("text.pem", "text.key"));
    start(files.options("both.pem", "both.pem"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"RSA", "EC", "ENCRYPTED", "DSA"})
  void aKeyInAnotherFormIsReportedWithItsConversion(String form) throws Exception {
    Path key = files.write("other.pem", TlsFiles.pem(form + " PRIVATE KEY", new byte[100]));

    assertRefused("ec.pem", "other.pem")
        .hasMessageContaining(
            "with the key " + key + ": the key is not in PKCS 8, or encrypted; this converts it:")
        .hasMessageEndingWith(" openssl pkcs8 -topk8 -nocrypt -in " + key + " -out pkcs8.pem");
  }

  @Test
  void filesThatCannotBeUsedAreReported() throws Exception {
    files.write("empty.pem", "");
    files.write("bad.pem", TlsFiles.pem("CERTIFICATE", new byte[100]));
    files.write("bad.key", TlsFiles.pem("PRIVATE KEY", new byte[100]));
    files.write("text.bad", "-----BEGIN PRIVATE KEY-----\nA\n-----END PRIVATE KEY-----\n");

    assertRefused("ec.pem", "")
        .hasMessage("hourstone.tls.certificate and hourstone.tls.key must be set together");
    assertRefused("ec.key", "ec.key")
        .hasMessageStartingWith("can't use the certificate ")
        .hasMessageEndingWith("ec.key contains no certificate in the format PEM");
    assertRefused("ec.pem", "ec.pem")
        .hasMessageEndingWith("contains no private key in the format PEM");
    assertRefused("empty.pem", "ec.key")
        .hasMessageEndingWith("contains no certificate in the format PEM");
    assertRefused("ec.pem", "nosuch.pem").hasMessageEndingWith("nosuch.pem: no such file");
    assertRefused(".", "ec.key").hasMessageContaining("Is a directory");
    assertRefused("bad.pem", "ec.key").hasMessageContaining("bad.pem, certificate 1: ");
    assertRefused("ec.pem", "bad.key")
        .hasMessageContaining("bad.key contains a corrupt private key");
    assertRefused("ec.pem", "text.bad").hasMessageContaining("text.bad: ");
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void filesThatOthersCanReadAreWarnedOf() throws Exception {
    Path key = directory.resolve("ec.key");
    try (LoggedBy logged = LoggedBy.thisThread("org.hourstone.server")) {
      for (String permissions : new String[] {"rw-------", "rw-r-----", "rw-r--r--", "rw-rw----"}) {
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString(permissions));
        start(files.options("ec.pem", "ec.key"));
      }
      assertThat(logged.messages())
          .containsExactly(
              "hourstone.tls.key: other users of this machine can read "
                  + key
                  + "; only the daemon's user needs to: chmod 600 "
                  + key,
              "hourstone.tls.key: other users of this machine can change "
                  + key
                  + "; only the daemon's user needs to: chmod 600 "
                  + key);
    }
  }

  @Test
  void aChainHasNoGaps() throws Exception {
    String[] chain = files.read("leaf.pem").split("(?<=END CERTIFICATE-----\n)");
    files.write("cut.pem", chain[0] + chain[1]);
    files.write("gap.pem", chain[0] + chain[2]);
    files.write("stranger.pem", files.read("leaf.pem") + files.read("rsa.pem"));

    start(files.options("cut.pem", "leaf.key"));
    assertRefused("gap.pem", "leaf.key")
        .hasMessageEndingWith(
            "certificate 2 of the file, of CN=root, is not that of the issuer of the one before");
    assertRefused("stranger.pem", "leaf.key").hasMessageContaining("certificate 4 of the file");
  }
}
