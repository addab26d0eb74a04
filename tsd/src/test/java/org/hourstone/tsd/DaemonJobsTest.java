package org.hourstone.tsd;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.hourstone.server.Client;
import org.hourstone.server.Client.Response;
import org.hourstone.tsd.session.ExitCode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A daemon executes commands for whoever may not open its store. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class DaemonJobsTest {
  private static final String JOBS = "/api/admin/jobs";

  @TempDir Path directory;

  private String store;
  private Path log;
  private DaemonProcess daemon;

  @BeforeEach
  void start() throws IOException {
    store = "rocksdb:" + directory.resolve("store");
    log = directory.resolve("log");
    Map<String, String> settings =
        Map.of("hourstone.backup.directory", directory.resolve("backups").toString());
    daemon =
        DaemonProcess.start(
            store,
            new DaemonProcess.Launch(
                "256m",
                Map.of(),
                DaemonProcess.Launch.settings(settings),
                ProcessBuilder.Redirect.to(log.toFile())));
    StringBuilder points = new StringBuilder("[");
    for (int hour = 0; hour < 20; hour++) {
      points
          .append(hour == 0 ? "" : ",")
          .append("{\"metric\":\"m\",\"value\":1,\"tags\":{\"host\":\"a\"},\"timestamp\":")
          .append(1_500_000_000 + 3600 * hour)
          .append("}");
    }
    assertThat(send("POST", "/api/put?sync", points + "]").status()).isEqualTo(204);
  }

  @AfterEach
  void stop() {
    daemon.close();
  }

  private Response send(String method, String uri, String body) throws IOException {
    return Client.request(daemon.address(), method, uri, body.replace('\'', '"'));
  }

  private JsonNode json(Response response) throws IOException {
    return new ObjectMapper().readTree(response.body());
  }

  /** Begins a job and waits for its end. */
  private JsonNode job(String words) throws IOException {
    Response begun = send("POST", JOBS, "{'command':[" + words + "]}");
    assertThat(begun.status()).as(begun.body()).isEqualTo(202);
    String id = json(begun).path("id").asText();
    JsonNode job = json(send("GET", JOBS + "?id=" + id, ""));
    while (job.path("state").asText().equals("running")) {
      job = json(send("GET", JOBS + "?id=" + id, ""));
    }
    return job;
  }

  private String server() {
    return "http://127.0.0.1:" + daemon.address().getPort();
  }

  @Test
  void jobsAreExecutedListedAndLogged() throws IOException {
    JsonNode fsck = job("'fsck','--full-scan','--fix'");
    assertThat(fsck.path("state").asText()).as(fsck.toString()).isEqualTo("done");
    assertThat(fsck.path("output").toString()).contains("20 points", "no errors");
    assertThat(job("'writers'").path("output").toString()).contains("no writers");
    assertThat(job("'flush'").path("state").asText()).isEqualTo("done");
    assertThat(job("'compact','--metric','m'").path("output").toString()).contains("20 rows read");
    assertThat(job("'index','rebuild'").path("output").toString()).contains("is complete");
    assertThat(job("'uid','rename','metrics','m','renamed'").path("state").asText())
        .isEqualTo("done");
    assertThat(job("'uid','rename','metrics','nosuch','n'").path("state").asText())
        .isEqualTo("failed");
    assertThat(send("GET", "/api/query?start=1400000000&m=sum:renamed", "").status())
        .isEqualTo(200);
    assertThat(send("POST", "/api/admin/backup", "{'keep':1}").status()).isEqualTo(200);

    JsonNode list = json(send("GET", JOBS, "")).path("jobs");
    assertThat(list.findValuesAsText("command"))
        .hasSize(8)
        .contains("fsck --full-scan --fix", "uid rename metrics m renamed");
    assertThat(send("GET", "/metrics", "").body())
        .contains("hourstone_jobs_total{kind=\"uid_rename\",state=\"failed\"} 1.0")
        .contains("hourstone_job_last_success_timestamp_seconds{kind=\"backup\"} ")
        .contains("hourstone_job_expected{kind=\"backup\"} 1.0");
    assertThat(Files.readString(log))
        .containsPattern(
            "org.hourstone.job: job \\d+ begins: fsck --full-scan --fix, for .*127.0.0.1")
        .containsPattern("org.hourstone.job: job \\d+ is done after \\d+ s: fsck")
        .containsPattern("job \\d+ is failed after .*: No such name for 'metrics': 'nosuch'");
  }

  @Test
  void whatADaemonCantExecuteIsRefused() throws IOException {
    for (String words :
        List.of(
            "",
            "'query','1h-ago','sum:m'",
            "'import','/etc/passwd'",
            "'fsck','--full-scan','--save','/tmp/x'",
            "'fsck','--full-scan','--resume','/tmp/x'",
            "'fsck','--help'",
            "'fsck','--nosuch'",
            "'uid','--idwidth','4','rename','metrics','a','b'",
            "'--store','memory:','flush'",
            "'flush','--set','tsd.core.uid.random_metrics=true'",
            "'tsd'",
            "'copy','rocksdb:/tmp/x'",
            "'fsck'",
            "'fsck','--full-scan','1h-ago'",
            "'fsck','1h-ago'",
            "'fsck','--full-scan','--threads','0'",
            "'compact','--threads','0'",
            "'compact','--start','soon'",
            "'compact','--start','1h-ago','--end','2h-ago'",
            "'index','rebuild','--threads','0'",
            "'retention'",
            "'rollup'",
            "'uid','assign','nokind','a'",
            "'uid','rename','nokind','a','b'",
            "'uid','rename','metrics','m','not a name'",
            "'uid','delete','nokind','a'",
            "'uid','fsck','repair'",
            "'uid','reclaim','--threads','0'",
            "'uid','reclaim','--older-than','long'",
            "'uid','metasync','--from','nohex'",
            "'uid','treepurge','0'")) {
      Response refused = send("POST", JOBS, "{'command':[" + words + "]}");
      assertThat(refused.status()).as(words + refused.body()).isEqualTo(400);
    }
    assertThat(json(send("GET", JOBS, "")).path("jobs")).isEmpty();
    assertThat(Files.readString(log)).doesNotContain("unexpected", "Exception");
    assertThat(send("DELETE", JOBS + "?id=1", "").status()).isEqualTo(404);
  }

  @Test
  void commandsUseTheDaemonThatHasTheStore() throws IOException {
    String port = Integer.toString(daemon.address().getPort());
    CommandRun fsck =
        CommandRun.now(
            "--store", store, "--set", "tsd.network.port=" + port, "fsck", "--full-scan", "--fix");
    assertThat(fsck.exitCode()).as(fsck.err()).isZero();
    assertThat(fsck.err()).contains("the store is in use: " + "http://127.0.0.1:" + port);
    assertThat(fsck.out()).contains("20 points", "no errors");

    CommandRun backup =
        CommandRun.now(
            "--store",
            store,
            "--set",
            "tsd.network.port=" + port,
            "backup",
            directory.resolve("backups/daily").toString());
    assertThat(backup.exitCode()).as(backup.err()).isZero();
    assertThat(backup.out()).contains("backup 1 is complete");

    CommandRun named = CommandRun.now("--server", server(), "backup", "daily", "--keep", "1");
    assertThat(named.exitCode()).as(named.err()).isZero();
    assertThat(named.out()).contains("backup 2 is complete");
    assertThat(directory.resolve("backups/daily/000001")).doesNotExist();

    CommandRun other = CommandRun.now("--server", server(), "uid", "delete", "tagv", "nosuch");
    assertThat(other.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(other.out() + other.err()).contains("nosuch", "is failed");
  }

  @Test
  void wrongUsageHasItsStatusWhereverTheCommandIsExecuted() throws IOException {
    CommandRun named = CommandRun.now("--server", server(), "fsck");
    assertThat(named.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(named.err())
        .contains(server() + ": no rows selected: give --full-scan", "Try 'hourstone fsck --help'");
  }

  @Test
  void optionsThatTheDaemonDoesNotFollowAreRefused() throws IOException {
    String range = "fsck --fix-all 2017/07/14 2017/07/15 sum:m";
    for (String options :
        List.of(
            "--timezone Europe/Berlin " + range,
            range + " --timezone Europe/Berlin",
            "--set tsd.core.timezone=Europe/Berlin " + range,
            "--opentsdb-defaults " + range,
            "--table other flush")) {
      CommandRun run = CommandRun.now(ofStore(options));
      assertThat(run.exitCode()).as(options + run.err()).isEqualTo(ExitCode.USAGE);
      assertThat(run.err())
          .as(options)
          .contains(": the store is in use, and http://", ", which has it open");
    }
    CommandRun width = CommandRun.now(ofStore("uid --idwidth 4 delete metrics m"));
    assertThat(width.exitCode()).as(width.err()).isEqualTo(ExitCode.USAGE);
    assertThat(json(send("GET", JOBS, "")).path("jobs")).isEmpty();
    Path points = Files.writeString(directory.resolve("points"), "m 1500000000 1 host=a\n");
    CommandRun otherTable = CommandRun.now(ofStore("--table other import " + points));
    assertThat(otherTable.exitCode()).as(otherTable.err()).isEqualTo(ExitCode.USAGE);
    CommandRun dates = CommandRun.now(ofStore("--timezone Europe/Berlin import " + points));
    assertThat(dates.exitCode()).as(dates.err()).isZero();
  }

  @Test
  void settingsOfTheEnvironmentAndOfFilesMayDiffer() throws IOException {
    Path file = Files.writeString(directory.resolve("conf"), "tsd.core.timezone=Asia/Tokyo\n");
    CommandRun run =
        CommandRun.now(
            Map.of("TSD_CORE_AUTO_CREATE_METRICS", "true"),
            ofStore("--config " + file + " compact"));
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.err()).contains(server() + " executes the command, with its own settings");
  }

  /** By a command that writes, which the daemon does not execute. */
  @Test
  void whatToDoInsteadIsReported() throws IOException {
    String port = Integer.toString(daemon.address().getPort());
    Map<String, String> instead =
        Map.of(
            "put /dev/null",
            "send the lines to its port, " + port + " by these settings, or their points by import",
            "query --delete 2017/07/14 2017/07/15 sum:m",
            "DELETE /api/query deletes points if tsd.http.query.allow_delete is true",
            "scan --delete 2017/07/14 2017/07/15 sum:m",
            "DELETE /api/query deletes points",
            "load-cells /dev/null",
            "stop it first; points without their cells can be sent to a daemon by import",
            "tsd --port 0",
            "stop it, or give this daemon another --store",
            "fsck --full-scan --fix --save " + directory.resolve("saved"),
            "--save, --resume and --skip-unreadable are for the command line, while no process");
    instead.forEach(
        (words, what) -> {
          CommandRun run = CommandRun.now(ofStore(words));
          assertThat(run.exitCode()).as(words).isEqualTo(ExitCode.FAILED);
          assertThat(run.err()).as(words).contains("in use by another process", what);
        });
    String other = "rocksdb:" + directory.resolve("other");
    assertThat(CommandRun.now("--store", other, "mkmetric", "m").exitCode()).isZero();
    CommandRun copy = CommandRun.now("copy", other, store);
    assertThat(copy.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(copy.err())
        .contains("in use by another", "stop it first", "by scan --import and import --server URL");
  }

  /** Otherwise a demo would delete the files below the daemon. */
  @Test
  void aDemoThatADaemonServesStays() throws IOException {
    Files.createFile(directory.resolve("store").resolve("MADE-BY-DEMO"));
    CommandRun demo = CommandRun.now(ofStore("demo"));
    assertThat(demo.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(demo.err()).contains("in use by another process", "stop that process first");
    assertThat(send("GET", "/api/query?start=2017/07/14&m=sum:m", "").body())
        .contains("'m'".replace('\'', '"'));
    assertThat(directory.resolve("store").resolve("CURRENT")).exists();
  }

  /** A command on the store that the daemon has open. */
  private String[] ofStore(String words) {
    String port = Integer.toString(daemon.address().getPort());
    return ("--store " + store + " --set tsd.network.port=" + port + " " + words).split(" ");
  }

  @Test
  void anotherDaemonIsNotUsed() throws IOException {
    String mine = "rocksdb:" + directory.resolve("mine");
    try (DaemonProcess second = DaemonProcess.start(mine, DaemonProcess.Launch.of(List.of()))) {
      String port = Integer.toString(daemon.address().getPort());
      assertThat(second.address()).isNotEqualTo(daemon.address());
      CommandRun wrong =
          CommandRun.now("--store", mine, "--set", "tsd.network.port=" + port, "flush");
      assertThat(wrong.exitCode()).isEqualTo(ExitCode.FAILED);
      assertThat(wrong.err()).contains("in use by another process", "--server URL", "has rocksdb:");
    }
    CommandRun none = CommandRun.now("--store", store, "--set", "tsd.network.port=1", "flush");
    assertThat(none.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(none.err()).contains("in use by another process", "does not respond");
    CommandRun both = CommandRun.now("--store", store, "--server", server(), "flush");
    assertThat(both.exitCode()).isEqualTo(ExitCode.USAGE);
    CommandRun reads = CommandRun.now("--server", server(), "query", "1h-ago", "sum:m");
    assertThat(reads.exitCode()).isEqualTo(ExitCode.USAGE);
  }
}
