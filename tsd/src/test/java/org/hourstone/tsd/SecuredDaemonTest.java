package org.hourstone.tsd;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.hourstone.server.Accounts;
import org.hourstone.server.TlsFiles;
import org.hourstone.tsd.DaemonProcess.Launch;
import org.hourstone.tsd.session.ExitCode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Commands and the daemon that docs/operating.md sets up: for other machines, with accounts and a
 * certificate which has their name for it, by an issuer that Java does not know.
 */
@Timeout(300)
class SecuredDaemonTest {
  @TempDir Path directory;

  private final String token = Accounts.newToken();
  private final Map<String, String> environment = Map.of("HOURSTONE_TOKEN", token);
  private TlsFiles files;
  private Path config;
  private String store;
  private Path backups;
  private DaemonProcess daemon;

  @BeforeEach
  void start() throws Exception {
    files =
        new TlsFiles(directory).make("tsdb.example.com", "EC", "-ext", "san=dns:tsdb.example.com");
    Path accounts =
        Files.writeString(
            directory.resolve("accounts"), Accounts.tokenLine("cron", "admin", token) + "\n");
    store = "rocksdb:" + directory.resolve("store");
    backups = directory.resolve("backups");
    config =
        Files.write(
            directory.resolve("hourstone.conf"),
            List.of(
                "tsd.network.bind = 127.0.0.1",
                "hourstone.http.hosts = tsdb.example.com",
                "tsd.core.authentication.enable = true",
                "hourstone.auth.file = " + accounts,
                "hourstone.tls.certificate = " + directory.resolve("tsdb.example.com.pem"),
                "hourstone.tls.key = " + directory.resolve("tsdb.example.com.key"),
                "hourstone.backup.directory = " + backups));
    daemon = DaemonProcess.start(store, Launch.of(List.of("--config", config.toString())));
  }

  @AfterEach
  void stop() {
    daemon.close();
  }

  /** With the file of the daemon, which lets in other machines. */
  private CommandRun beside(String... command) {
    List<String> words =
        List.of(
            "--config",
            config.toString(),
            "--store",
            store,
            "--set",
            "tsd.network.bind=0.0.0.0",
            "--set",
            "tsd.network.port=" + daemon.address().getPort());
    return CommandRun.now(environment, concat(words, List.of(command)));
  }

  private static String[] concat(List<String> one, List<String> other) {
    return Stream.concat(one.stream(), other.stream()).toArray(String[]::new);
  }

  private String server() {
    return "https://localhost:" + daemon.address().getPort();
  }

  @Test
  void theCommandTrustsTheCertificateOfItsSettings() {
    CommandRun backup = beside("backup", backups.resolve("daily").toString(), "--keep", "14");
    assertThat(backup.exitCode()).as(backup.err()).isZero();
    assertThat(backup.out()).contains("backup 1 is complete");
    assertThat(backup.err())
        .isEqualTo(
            "hourstone: the store is in use: "
                + server()
                + " executes the command, with its own settings\n");
    CommandRun fsck = beside("fsck", "--full-scan", "--fix");
    assertThat(fsck.exitCode()).as(fsck.err()).isZero();
  }

  @Test
  void anotherCertificateIsNotTrusted() throws Exception {
    files.make("other", "EC", "-ext", "san=dns:localhost");
    String other = "hourstone.tls.certificate=" + directory.resolve("other.pem");
    CommandRun backup = beside("--set", other, "backup", backups.toString());
    assertThat(backup.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(backup.err())
        .contains("in use by another process", "its certificate is not that of ", "other.pem");

    String missing = "hourstone.tls.certificate=" + directory.resolve("missing.pem");
    assertThat(beside("--set", missing, "backup", backups.toString()).err())
        .contains("in use by another process", "missing.pem");
    String key = "hourstone.tls.certificate=" + directory.resolve("other.key");
    assertThat(beside("--set", key, "backup", backups.toString()).err())
        .contains("in use by another process", "no certificate in the format PEM");
  }

  @Test
  void aServerIsTrustedByTheFileOfTheEnvironment() {
    CommandRun unknown = CommandRun.now(environment, "--server", server(), "backup", "daily");
    assertThat(unknown.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(unknown.err()).contains(server() + " does not respond: ");

    Map<String, String> trusting =
        Map.of(
            "HOURSTONE_TOKEN",
            token,
            "HOURSTONE_CERTIFICATE",
            directory.resolve("tsdb.example.com.pem").toString());
    CommandRun backup =
        CommandRun.now(trusting, "--server", server(), "backup", "daily", "--keep", "1");
    assertThat(backup.exitCode()).as(backup.err()).isZero();
    assertThat(backup.err()).isEmpty();
    assertThat(backup.out()).contains("backup 1 is complete");
    assertThat(backups.resolve("daily/000001/SHA256SUMS")).exists();
    CommandRun flush = CommandRun.now(trusting, "--server", server(), "flush");
    assertThat(flush.exitCode()).as(flush.err()).isZero();

    String outside = directory.resolve("outside").toString();
    CommandRun refused = CommandRun.now(trusting, "--server", server(), "backup", outside);
    assertThat(refused.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(refused.err()).contains("not below", "hourstone.backup.directory");
    for (String wrong : List.of("list", "verify")) {
      CommandRun run = CommandRun.now(trusting, "--server", server(), "backup", wrong, "daily");
      assertThat(run.exitCode()).as(wrong).isEqualTo(ExitCode.USAGE);
      assertThat(run.err()).contains("not a command that a daemon executes");
    }
    CommandRun none = CommandRun.now(trusting, "--server", server(), "backup");
    assertThat(none.exitCode()).isEqualTo(ExitCode.USAGE);
  }
}
