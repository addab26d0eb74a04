package org.hourstone.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.hourstone.DaemonSettings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.api.request.Disconnection;
import org.hourstone.api.request.JobCommands;
import org.hourstone.api.request.Plotter;
import org.hourstone.api.request.Refusals;
import org.hourstone.api.request.Role;
import org.hourstone.api.request.ServerInfo;
import org.hourstone.api.request.ServerInfo.Statistic;
import org.hourstone.api.status.Jobs;
import org.hourstone.kv.Backups;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.StoreException;
import org.hourstone.testkit.LoggedBy;
import org.hourstone.testkit.store.ModelStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Backups by HTTP: who may have them made, to where, and how many at a time. */
class BackupApiTest {
  private static final String URI = "/api/admin/backup";

  @TempDir Path directory;

  private final ModelStore store = new ModelStore(InstantSource.system());
  private final List<String> made = new ArrayList<>();
  private Function<Backups.Watch, Backups.Backup> result =
      watch -> new Backups.Backup(7, 3, 20, 1000, List.of());
  private Path allowed;
  private Tsdb db;
  private Api api;

  /** Its backups do nothing. */
  private final class StoreWithBackups extends ForwardingStore {
    StoreWithBackups() {
      super(store);
    }

    private final Backups backups =
        new Backups() {
          @Override
          public Backup create(Path target, int keep, long reserve, Watch watch) {
            made.add(directory.toAbsolutePath().relativize(target) + " " + keep);
            return result.apply(watch);
          }

          @Override
          public Optional<Instant> latest(Path target) {
            return Optional.of(Instant.ofEpochSecond(1_600_000_000));
          }
        };

    @Override
    public <T> Optional<T> extension(Class<T> type) {
      return type == Backups.class ? Optional.of(type.cast(backups)) : super.extension(type);
    }
  }

  @BeforeEach
  void open() throws IOException {
    directory = directory.toRealPath();
    allowed = directory.resolve("allowed");
    open(allowed.toString());
  }

  private void open(String setting) {
    db =
        Tsdb.over(
            new StoreWithBackups(),
            TsdbOptions.defaults()
                .withClock(InstantSource.fixed(Instant.ofEpochMilli(1))) // the number of a job
                .with(DaemonSettings.BACKUP_DIRECTORY, setting));
    api = new Api(db);
  }

  @AfterEach
  void close() {
    db.close();
    store.close();
  }

  private String send(String method, String uri, String body, Set<Role> roles) {
    try (ApiResponse response =
        api.respond(method, uri, body.replace('\'', '"'), new Disconnection(), roles)) {
      return response.status() + " " + response.body().replace('"', '\'');
    }
  }

  private String post(String body) {
    return send("POST", URI, body, Role.all());
  }

  @Test
  void aBackupIsMadeAndDescribed() {
    assertThat(post("{'directory':'daily','keep':14}"))
        .isEqualTo(
            "200 {'directory':'%s','generation':7,'files':3,'bytesCopied':20,'bytesLinked':1000}"
                .formatted(allowed.resolve("daily")));
    assertThat(post("{'directory':'" + allowed.resolve("a/b") + "'}")).startsWith("200 ");
    assertThat(post("")).startsWith("200 ");
    assertThat(made).containsExactly("allowed/daily 14", "allowed/a/b 0", "allowed 0");
  }

  @Test
  void whatIsLeftAloneIsNamed() {
    result = watch -> new Backups.Backup(7, 3, 20, 1000, List.of("20261101", "notes"));
    assertThat(post("")).endsWith(",'others':['20261101','notes']}");
    assertThat(send("GET", "/api/admin/jobs?id=1", "", Role.all()))
        .contains("'left alone, as they are no whole backups: 20261101, notes'");
  }

  @Test
  void onlyAnAdminMay() {
    for (Set<Role> roles : List.of(EnumSet.of(Role.READ, Role.WRITE), EnumSet.noneOf(Role.class))) {
      assertThat(send("POST", URI, "", roles)).startsWith("403 ").contains("[admin]");
    }
    assertThat(send("POST", "/api/v1/admin/backup", "", EnumSet.of(Role.ADMIN))).startsWith("200 ");
    assertThat(made).hasSize(1);
  }

  @Test
  void otherDirectoriesAreRefused() throws IOException {
    Files.createDirectories(allowed);
    Files.createSymbolicLink(allowed.resolve("link"), directory);
    for (String elsewhere :
        List.of("..", "../allowed2", "/", directory.toString(), "a/../../x", "link", "link/x")) {
      assertThat(post("{'directory':'" + elsewhere + "'}"))
          .as(elsewhere)
          .startsWith("400 ")
          .contains("'No directory for backups'")
          .contains(" is not below hourstone.backup.directory=" + allowed);
    }
    assertThat(made).isEmpty();
  }

  @Test
  void theDirectoryMayItselfBeALink() throws IOException {
    Path disk = Files.createDirectory(directory.resolve("disk"));
    Files.createSymbolicLink(allowed, disk);
    assertThat(post("{'directory':'x'}")).startsWith("200 ");
    assertThat(made).containsExactly("disk/x 0");
  }

  @Test
  void aDirectoryThatCantBeUsedIsNamedAtTheStartAndByEachBackup() throws IOException {
    db.close();
    Path file = Files.createFile(allowed);
    String setting = "hourstone.backup.directory=" + file;
    try (LoggedBy log = LoggedBy.thisThread("org.hourstone.api")) {
      open(setting.substring(setting.indexOf('=') + 1));
      assertThat(log.lines())
          .containsExactly(
              "WARNING no backup can be made: %s: the user %s can't write to the directory %s"
                  .formatted(setting, System.getProperty("user.name"), file));
    }
    assertThat(post("")).startsWith("503 ").contains(setting + " can't be used: not a directory");
    assertThat(made).isEmpty();
  }

  /** So that monitoring notices if none is ever made. */
  @Test
  void theyAreExpectedIfThereIsADirectoryForThem() {
    for (boolean isSet : new boolean[] {true, false}) {
      db.close();
      open(isSet ? allowed.toString() : "");
      Jobs jobs = new Jobs(InstantSource.system());
      Api unused =
          new Api(db, ServerInfo.none(), Plotter.none(), new Refusals(), jobs, JobCommands.none());
      assertThat(unused).isNotNull();
      assertThat(jobs.statistics().stream().map(Statistic::metric))
          .containsExactly(
              isSet ? new String[] {"job.last_seconds", "job.expected"} : new String[0]);
      jobs.close();
    }
  }

  @Test
  void withoutTheSettingThereAreNone() {
    db.close();
    open("");
    assertThat(post("")).startsWith("403 ").contains("hourstone.backup.directory");
    assertThat(made).isEmpty();
  }

  @Test
  void requestsThatCantBeMeantAreRefused() {
    for (String body :
        List.of(
            "{'keep':0}", "{'keep':-1}", "{'keep':1.5}", "{'dir':'x'}", "[]", "{'directory':1")) {
      assertThat(post(body)).as(body).startsWith("400 ");
    }
    assertThat(send("GET", URI, "", Role.all())).startsWith("405 ");
    assertThat(send("POST", URI + "?tags=x", "", Role.all())).startsWith("400 ");
    assertThat(made).isEmpty();
  }

  @Test
  void oneIsMadeAtATime() {
    List<String> second = new ArrayList<>();
    result =
        watch -> {
          second.add(post(""));
          return new Backups.Backup(1, 1, 1, 1, List.of());
        };
    assertThat(post("")).startsWith("200 ");
    assertThat(second).hasSize(1);
    assertThat(second.get(0)).startsWith("409 ").contains("in progress");
    assertThat(made).hasSize(1);
  }

  @Test
  void aBackupThatIsMadeShowsItsProgressAndIsCancelled() {
    List<String> seen = new ArrayList<>();
    result =
        watch -> {
          watch.progress(1, 0); // an empty store
          watch.progress(30L << 40, 40L << 40);
          String job = send("GET", "/api/admin/jobs?id=1", "", Role.all());
          seen.add(job.replaceFirst(".*('percent':[0-9]+).*", "$1"));
          seen.add(watch.isCancelled() + " before");
          seen.add(send("DELETE", "/api/admin/jobs?id=1", "", Role.all()));
          seen.add(watch.isCancelled() + " after");
          throw new StoreException(StoreException.Outcome.NOT_APPLIED, "the backup was cancelled");
        };
    assertThat(post("")).startsWith("503 ").contains("the backup was cancelled");
    assertThat(seen).containsExactly("'percent':75", "false before", "204 ", "true after");
    assertThat(send("GET", "/api/admin/jobs?id=1", "", Role.all()))
        .contains("'state':'cancelled'", "'line':'the backup was cancelled'");
  }

  @Test
  void afterAFailureAnotherMayBeMade() {
    result =
        watch -> {
          throw new StoreException(StoreException.Outcome.NOT_APPLIED, "no space left");
        };
    assertThat(post("")).startsWith("503 ").contains("no space left");
    result = watch -> new Backups.Backup(1, 1, 1, 1, List.of());
    assertThat(post("")).startsWith("200 ");
  }

  @Test
  void aStoreWithoutThemSaysSo() {
    db.close();
    db =
        Tsdb.over(
            store,
            TsdbOptions.defaults().with(DaemonSettings.BACKUP_DIRECTORY, allowed.toString()));
    api = new Api(db);
    assertThat(post("")).startsWith("501 ");
  }
}
