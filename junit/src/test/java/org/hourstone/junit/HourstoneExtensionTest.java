package org.hourstone.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hourstone.junit.SeriesAssert.assertThat;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.query.SeriesCursor;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class HourstoneExtensionTest {
  private static final Instant TIME = Instant.parse("2023-11-14T22:13:20Z");

  @Nested
  class InMemory {
    @RegisterExtension
    final HourstoneExtension hourstone =
        new HourstoneExtension()
            .with("tsd.storage.max_tags", "1")
            .startingAt(TIME)
            .withLines("m 1700000060 2 h=a", "", "# any order", "m 1700000000 1 h=a");

    @BeforeEach
    void everyMethodOfATestHasItsDatabase(Tsdb db) {
      assertSame(hourstone.db(), db);
    }

    @Test
    void linesAreStored(Tsdb db, TestClock clock) {
      assertThat(db)
          .query("sum:m", TIME, clock.instant().plusSeconds(60))
          .hasOneSeries()
          .withPoints(ExpectedPoint.at(TIME, 1), ExpectedPoint.at(TIME.plusSeconds(60), 2));
    }

    @Test
    void theClockStandsUntilItIsSet(Tsdb db, TestClock clock) {
      assertThat(hourstone.clock()).isSameAs(clock).hasToString("2023-11-14T22:13:20Z");
      clock.advance(Duration.ofHours(1));
      assertThat(db.parseTime("1h-ago")).isEqualTo(TIME.toEpochMilli());
      clock.set(TIME.minusSeconds(1));
      assertThat(db.parseTime("now")).isEqualTo(TIME.toEpochMilli() - 1000);
    }

    @Test
    void theLaterOfTwoPutsWinsThoughTheClockStands(Tsdb db) {
      db.put("m", TIME, 7, Tags.of("h", "a"));
      db.put("m", TIME, 8, Tags.of("h", "a"));

      assertThat(db).query("sum:m", TIME, TIME.plusSeconds(1)).hasOneSeries().withValues(8);
    }

    @Test
    void settingsApply(Tsdb db) {
      assertThatThrownBy(() -> db.put("m", TIME, 1, Tags.of("a", "1", "b", "2")))
          .hasMessageContaining("maximum allowed: 1");
    }

    @Test
    void aServerThatIsNotAskedForIsNotThere() {
      assertThatThrownBy(hourstone::server)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("no server: the extension lacks withServer()");
    }
  }

  @Nested
  class OnRocksDb {
    @RegisterExtension final HourstoneExtension hourstone = new HourstoneExtension().onRocksDb();

    @Test
    void pointsAreInFiles(Tsdb db) {
      db.put("m", TIME, 1.5, Tags.of("h", "a"));
      db.flush();

      assertThat(db.diskSpace()).isPresent();
      assertThat(db).query("none:m", TIME, TIME.plusSeconds(1)).hasOneSeries().withValues(1.5);
    }
  }

  @Nested
  class WithServer {
    @RegisterExtension
    final HourstoneExtension hourstone =
        new HourstoneExtension().withServer().withLines("m 1700000000 1 h=a");

    @Test
    void clientsAreServed(TestServer server, Tsdb db) throws Exception {
      String put = "{\"metric\":\"m\",\"timestamp\":1700000001,\"value\":2,\"tags\":{\"h\":\"a\"}}";
      HttpRequest request =
          HttpRequest.newBuilder(server.uri().resolve("/api/put"))
              .POST(HttpRequest.BodyPublishers.ofString(put))
              .build();

      assertThat(HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).statusCode())
          .isEqualTo(204);
      assertThat(db).query("sum:m", TIME, TIME.plusSeconds(1)).hasOneSeries().withValues(1, 2);
    }

    @Test
    void itsAddressIsKnown(TestServer server) {
      assertThat(hourstone.server()).isSameAs(server);
      assertThat(server)
          .hasToString("http://127.0.0.1:" + server.port())
          .returns("127.0.0.1", TestServer::host);
    }
  }

  @Nested
  @ExtendWith(HourstoneExtension.class)
  class AtTheClass {
    private final Tsdb first;

    AtTheClass(Tsdb db) {
      this.first = db;
    }

    @Test
    void theConstructorHasItToo(Tsdb db) {
      assertSame(first, db);
    }

    @Nested
    class AndWithinIt {
      @Test
      void itIsTheSame(Tsdb db) {
        assertSame(first, db);
      }
    }
  }

  @Nested
  class WithOptions {
    @RegisterExtension
    final HourstoneExtension hourstone =
        new HourstoneExtension()
            .withOptions(TsdbOptions.openTsdbDefaults())
            .with(Settings.AUTO_CREATE_METRICS, "true")
            .startingAt(TIME);

    @Test
    void allSettingsAreOthers(Tsdb db, TestClock clock) {
      assertThat(db.engine().options().clock()).isSameAs(clock);
      assertThat(db.engine().options().text(Settings.HEAD)).isEqualTo("false");
    }
  }

  @Nested
  class WithFiles {
    @TempDir private Path directory;

    private Path packed(String lines) throws IOException {
      Path file = directory.resolve("points.gz");
      try (GZIPOutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
        out.write(lines.getBytes(StandardCharsets.UTF_8));
      }
      return file;
    }

    @Test
    void theirLinesAreStored() throws Exception {
      Path plain = Files.writeString(directory.resolve("points"), "m 1700000000 1 h=a\n");
      Setup setup =
          Setup.inMemory()
              .seeded(Seed.file(plain))
              .seeded(Seed.file(packed("m 1700000060 2 h=a\n")));

      OpenDatabase database = new OpenDatabase(setup);

      assertThat(database.db())
          .query("sum:m", TIME, TIME.plusSeconds(60))
          .hasOneSeries()
          .withValues(1, 2);
      database.close();
    }

    @Test
    void anInvalidLineIsNamed() throws Exception {
      Path file = Files.writeString(directory.resolve("points"), "m 1700000000 1 h=a\nm x 1 h=a\n");

      assertThatThrownBy(() -> new OpenDatabase(Setup.inMemory().seeded(Seed.file(file))))
          .hasMessageContaining(file + ":2")
          .hasMessageContaining("x");
    }

    @Test
    void theDirectoryOfRocksDbIsDeleted() throws Exception {
      List<Path> before = temporaryDirectories();

      new OpenDatabase(Setup.inMemory().inDirectory().serving()).close();
      assertThatThrownBy(
              () ->
                  new OpenDatabase(Setup.inMemory().inDirectory().seeded(Seed.lines(List.of("x")))))
          .hasMessageContaining("line:1");

      assertThat(before).containsAll(temporaryDirectories());
    }

    private static List<Path> temporaryDirectories() throws IOException {
      try (var files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
        return files.filter(file -> file.toString().contains("hourstone-test")).toList();
      }
    }
  }

  @Test
  void anUnknownSettingIsRefused() {
    assertThatThrownBy(() -> new HourstoneExtension().with("tsd.storage.maxtags", "1"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("tsd.storage.maxtags: no such setting");
  }

  @Test
  void withoutATestThereIsNoDatabase() {
    assertThatThrownBy(new HourstoneExtension()::db)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("@RegisterExtension");
  }

  @Test
  @SuppressWarnings("MustBeClosedChecker")
  void aQueryThatIsLeftOpenFails() throws Exception {
    OpenDatabase database =
        new OpenDatabase(Setup.inMemory().seeded(Seed.lines(List.of("m 1700000000 1 h=a"))));
    SeriesCursor left =
        database
            .db()
            .query(org.hourstone.query.Query.parse("sum:m").between(TIME, TIME.plusSeconds(1)));

    assertThatThrownBy(database::close)
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("left queries open")
        .hasMessageContaining("sum:m");
    left.close();
  }
}
