package org.hourstone.tsd;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.hourstone.server.Client;
import org.hourstone.server.Client.Response;
import org.hourstone.tsd.session.ExitCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A daemon backs its store up while it serves; its death loses nothing that a backup has. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class BackedUpDaemonTest {
  private static final int POINTS = 300;

  @TempDir Path directory;

  /** Of the hour in progress, which the daemon has open. */
  private final long start = System.currentTimeMillis() / 1000 - POINTS;

  private void put(DaemonProcess daemon, int from, int to) throws IOException {
    StringBuilder body = new StringBuilder();
    for (int i = from; i < to; i++) {
      body.append(i == from ? "[" : ",")
          .append("{\"metric\":\"m\",\"timestamp\":%d,\"value\":%d,".formatted(start + i, i))
          .append("\"tags\":{\"host\":\"a\"}}");
    }
    Response stored = Client.request(daemon.address(), "POST", "/api/put?sync", body + "]");
    assertThat(stored.status()).as(stored.body()).isEqualTo(204);
  }

  private static Response backup(DaemonProcess daemon) throws IOException {
    return Client.request(
        daemon.address(), "POST", "/api/admin/backup", "{\"directory\":\"daily\",\"keep\":1}");
  }

  @Test
  void aKilledDaemonIsReplacedByItsBackup() throws IOException {
    String store = "rocksdb:" + directory.resolve("store");
    String restored = "rocksdb:" + directory.resolve("restored");
    Path backups = directory.resolve("backups");
    Map<String, String> settings = Map.of("hourstone.backup.directory", backups.toString());
    try (DaemonProcess daemon =
        DaemonProcess.start(
            store, DaemonProcess.Launch.of(DaemonProcess.Launch.settings(settings)))) {
      put(daemon, 0, POINTS / 2);
      assertThat(backup(daemon).body()).contains("\"generation\":1,", "\"bytesLinked\":0");
      put(daemon, POINTS / 2, POINTS);
      Response second = backup(daemon);
      assertThat(second.status()).as(second.body()).isEqualTo(200);
      assertThat(second.body()).contains("\"generation\":2,").doesNotContain("\"bytesLinked\":0");

      CommandRun beside = CommandRun.now("--store", store, "backup", backups.toString());
      assertThat(beside.exitCode()).isEqualTo(ExitCode.FAILED);
      assertThat(beside.err())
          .contains("in use by another process", "--server URL"); // it does not use port 4242
    } // and killed

    Path daily = backups.resolve("daily");
    CommandRun restoring = CommandRun.now("restore", daily.toString(), "--to", restored);
    assertThat(restoring.exitCode()).as(restoring.err()).isZero();
    assertThat(CommandRun.now("--store", restored, "fsck", "--full-scan").exitCode()).isZero();
    CommandRun query =
        CommandRun.now(
            "--store",
            restored,
            "query",
            "--csv",
            String.valueOf(start),
            String.valueOf(start + POINTS),
            "none:m{host=a}");
    assertThat(query.outLines()).as("a header and all points").hasSize(1 + POINTS);
    assertThat(CommandRun.now("backup", "list", daily.toString()).outLines())
        .as("the first was removed")
        .hasSize(1);
  }
}
