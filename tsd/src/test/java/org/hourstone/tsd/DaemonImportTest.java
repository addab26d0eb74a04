package org.hourstone.tsd;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.hourstone.server.Client;
import org.hourstone.tsd.session.ExitCode;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code import} into a daemon: the one that has the store open, or one that is named. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class DaemonImportTest {
  private static final int MANY = 2500;

  @TempDir Path directory;

  private String file(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text).toString();
  }

  private static String many() {
    return IntStream.rangeClosed(1, MANY)
        .mapToObj(i -> "m " + (1_700_000_000 + i) + " " + i + " host=a\n")
        .collect(Collectors.joining());
  }

  private DaemonProcess daemon(String store) throws IOException {
    return DaemonProcess.start(
        store,
        DaemonProcess.Launch.of(
            DaemonProcess.Launch.settings(Map.of("tsd.core.auto_create_metrics", "true"))));
  }

  private static String query(DaemonProcess daemon, String m) throws IOException {
    return Client.request(
            daemon.address(), "GET", "/api/query?start=1690000000&m=none:" + m + "&arrays", "")
        .body();
  }

  @Test
  void theDaemonThatHasTheStoreOpenStoresThePoints() throws IOException {
    String store = "rocksdb:" + directory.resolve("store");
    String points =
        file(
            "points",
            """
            # of two hosts
            put m 1700000000 1 host=a

            m 1700000060 2.25 host=a dc=ü
            m 1700000060 x host=a
            m 2023-11-14T22:16:00Z 9223372036854775807 host=a
            m 1700000000 7 host=a
            short 1
            m 1700000180 4 host=a host=b
            """);
    String rejects = directory.resolve("rejects").toString();
    try (DaemonProcess daemon = daemon(store)) {
      CommandRun run =
          CommandRun.now(
              "--store",
              store,
              "--set",
              "tsd.network.port=" + daemon.address().getPort(),
              "import",
              "--rejects",
              rejects,
              points);

      assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.FAILED);
      assertThat(run.err())
          .contains("the store is in use: http://127.0.0.1:", "stored up to line 9")
          .contains("points:5: rejected: ", "points:8: rejected: not enough words")
          .contains("points:9: rejected: duplicate tag: host=b");
      assertThat(run.outLines()).first().asString().startsWith("4 points stored from 1 file");
      assertThat(run.out()).contains("3 lines rejected");
      assertThat(Files.readAllLines(Path.of(rejects)))
          .filteredOn(line -> !line.startsWith("#"))
          .containsExactly("m 1700000060 x host=a", "short 1", "m 1700000180 4 host=a host=b");
      assertThat(query(daemon, "m"))
          .as("the last of two lines with a time counts")
          .contains("[[1700000000,7],[1700000160,9223372036854775807]]", "[[1700000060,2.25]]");
    }
  }

  @Test
  void anExportInJsonIsStoredByAnotherDaemonAsItWas() throws IOException {
    String points =
        file(
            "points",
            """
            m 1700000000 9223372036854775807 host=a
            m 1700000000500 0.30000000000000004 host=a
            m 1700000001 0.10000000149011612 ciudad=Ñuñoa host=a
            """);
    String exported;
    try (DaemonProcess daemon = daemon("memory:")) {
      assertThat(CommandRun.now("--server", url(daemon), "import", points).exitCode()).isZero();
      exported = export(daemon);
    }
    String bad = "{\"metric\":\"m\",\"timestamp\":1,\"value\":\"x\",\"tags\":{\"host\":\"a\"}}";
    String file = file("export", "{\"annotation\":{\"startTime\":1}}\n" + bad + "\n" + exported);
    String rejects = directory.resolve("rejects").toString();
    try (DaemonProcess daemon = daemon("memory:")) {
      CommandRun run =
          CommandRun.now("--server", url(daemon), "import", "--json", "--rejects", rejects, file);

      assertThat(run.err())
          .contains("export:2: rejected: ", "annotations skipped: 1")
          .contains("stored up to line 6");
      assertThat(run.out()).startsWith("3 points stored").contains("1 line rejected");
      assertThat(Files.readAllLines(Path.of(rejects))).last().isEqualTo(bad);
      assertThat(export(daemon)).isEqualTo(exported).contains("Ñuñoa", "\"points\":3");
    }
  }

  private static String url(DaemonProcess daemon) {
    return "http://127.0.0.1:" + daemon.address().getPort();
  }

  private static String export(DaemonProcess daemon) throws IOException {
    return Client.request(daemon.address(), "GET", "/api/export?format=json", "").body();
  }

  @Test
  void theFirstRejectedLineEndsItAndTheRestCanBeContinued() throws IOException {
    String points = file("points", many().replace(" 1500 host", " x host"));
    try (DaemonProcess daemon = daemon("memory:")) {
      String server = "http://127.0.0.1:" + daemon.address().getPort();
      CommandRun run = CommandRun.now("--server", server, "import", points);

      assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
      assertThat(run.err())
          .contains("points:1500: ")
          .contains("stored up to line 1499; to continue: tail -n +1500 ")
          .endsWith(" --server " + server + " import -\n");
      assertThat(query(daemon, "m")).contains("[1700001499,1499]");

      CommandRun rest =
          CommandRun.now(
              "--server",
              server,
              "import",
              file("rest", many().lines().skip(1499).collect(Collectors.joining("\n"))));
      assertThat(rest.exitCode()).as(rest.err()).isZero();
      assertThat(query(daemon, "m")).contains("[1700002500,2500]");
    }
  }

  /** Responds with these statuses in turn, as to points of which all are stored or none. */
  private static HttpServer server(
      List<JsonNode> bodies, List<Integer> statuses, @Nullable String retryAfter)
      throws IOException {
    Iterator<Integer> next = statuses.iterator();
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/api/put",
        exchange -> {
          JsonNode sent = new ObjectMapper().readTree(exchange.getRequestBody());
          bodies.add(sent);
          int status = next.next();
          byte[] body =
              (status == 200
                      ? "{\"success\":" + sent.size() + ",\"failed\":0,\"errors\":[]}"
                      : "{\"error\":{\"code\":503,\"message\":\"no room\"}}")
                  .getBytes(UTF_8);
          exchange.getResponseHeaders().add("Content-Type", "application/json");
          if (status == 503 && retryAfter != null) {
            exchange.getResponseHeaders().add("Retry-After", retryAfter);
          }
          exchange.sendResponseHeaders(status, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    return server;
  }

  @Test
  void whatAServerHasNoCapacityForIsSentAgainWhenItSays() throws IOException {
    List<JsonNode> bodies = new ArrayList<>();
    HttpServer server = server(bodies, List.of(503, 503, 200, 200, 503, 200), "0");
    try {
      String url = "http://127.0.0.1:" + server.getAddress().getPort();
      CommandRun run = CommandRun.now("--server", url, "import", file("points", many()));
      assertThat(run.exitCode()).as(run.err()).isZero();
    } finally {
      server.stop(0);
    }
    assertThat(bodies).extracting(JsonNode::size).containsExactly(1000, 1000, 1000, 1000, 500, 500);
  }

  @Test
  void anImportThatTheServerInterruptsIsResumed() throws IOException {
    String points = file("points", many());
    String state = directory.resolve("state").toString();
    List<JsonNode> bodies = new ArrayList<>();
    HttpServer server = server(bodies, List.of(200, 503, 200, 200), null);
    try {
      String url = "http://127.0.0.1:" + server.getAddress().getPort();
      CommandRun first = CommandRun.now("--server", url, "import", "--resume", state, points);
      assertThat(first.exitCode()).isEqualTo(ExitCode.FAILED);
      assertThat(first.err())
          .contains(url + ": no room", "stored up to line 1000; to continue: repeat the command");
      assertThat(Path.of(state)).content().contains("1000 ");

      CommandRun second = CommandRun.now("--server", url, "import", "--resume", state, points);
      assertThat(second.exitCode()).as(second.err()).isZero();
      assertThat(Path.of(state)).doesNotExist();
    } finally {
      server.stop(0);
    }
    assertThat(bodies).extracting(JsonNode::size).containsExactly(1000, 1000, 1000, 500);
    assertThat(bodies.get(2).get(0))
        .isEqualTo(
            new ObjectMapper()
                .readTree(
                    "{\"metric\":\"m\",\"timestamp\":1700001001,\"value\":\"1001\",\"tags\":{\"host\":\"a\"}}"));
  }

  /** As of another program, of errors that are too many to list, and of a store that fails. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "200 text/html <html>",
        "200 application/json {}",
        "204 text/plain ",
        "400 application/json"
            + " {'success':1,'failed':2,'unlisted':1,'errors':[{'datapoint':{'metric':'m','timestamp':1,'value':'1','tags':{'host':'a'}},'error':'Unable"
            + " to parse'}]}",
        "400 application/json"
            + " {'success':2,'failed':1,'errors':[{'datapoint':{'metric':'m','timestamp':'1','value':'1','tags':{'host':'a'}},'error':'Storage"
            + " exception: down'}]}"
      })
  void pointsAreStoredOnlyIfTheResponseHasAllOfThem(String answer) throws IOException {
    List<String> parts = List.of(answer.replace('\'', '"').split(" ", 3));
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/api/put",
        exchange -> {
          exchange.getRequestBody().readAllBytes();
          exchange.getResponseHeaders().add("Content-Type", parts.get(1));
          byte[] body = parts.get(2).getBytes(UTF_8);
          exchange.sendResponseHeaders(
              Integer.parseInt(parts.get(0)), body.length == 0 ? -1 : body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    try {
      String rejects = directory.resolve("rejects").toString();
      CommandRun run =
          CommandRun.now(
              "--server",
              "http://127.0.0.1:" + server.getAddress().getPort(),
              "import",
              "--rejects",
              rejects,
              file("points", "m 1 1 host=a\nm 2 1 host=a\nm 3 1 host=a\n"));

      assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
      assertThat(run.err()).contains("stored up to line 0").doesNotContain("rejected");
    } finally {
      server.stop(0);
    }
  }

  @Test
  void settingsOfTheCommandAreRefusedAndADaemonThatIsGoneIsNamed() throws IOException {
    String points = file("points", many());
    CommandRun own =
        CommandRun.now("--server", "http://127.0.0.1:1", "import", "--auto-metric", points);
    assertThat(own.exitCode()).isEqualTo(ExitCode.USAGE);
    CommandRun gone = CommandRun.now("--server", "http://127.0.0.1:1", "import", points);
    assertThat(gone.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(gone.err()).contains("http://127.0.0.1:1 does not respond", "stored up to line 0");
  }
}
