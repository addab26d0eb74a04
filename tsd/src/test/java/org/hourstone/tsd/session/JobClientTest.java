package org.hourstone.tsd.session;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.hourstone.tsd.CommandRun;
import org.hourstone.tsd.RootCommand;
import org.hourstone.tsd.terminal.Streams;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the command line shows of a job, whatever becomes of its requests. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class JobClientTest {
  /** Closes the connection instead of a response. */
  private static final String NOTHING = "";

  private static final String BEGUN = "202 {'id':7,'state':'running'}";
  private static final String DONE = "200 {'id':7,'state':'done','lines':2,'output':['a','b']}";

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final Queue<String> responses = new ConcurrentLinkedQueue<>();
  private final Queue<String> requests = new ConcurrentLinkedQueue<>();
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::respond);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private void respond(HttpExchange exchange) throws IOException {
    exchange.getRequestBody().readAllBytes();
    requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
    String response = String.valueOf(responses.poll());
    if (!response.equals(NOTHING)) {
      byte[] body = response.substring(4).replace('\'', '"').getBytes(UTF_8);
      exchange.getResponseHeaders().add("Content-Type", "application/json");
      exchange.sendResponseHeaders(Integer.parseInt(response.substring(0, 3)), body.length);
      exchange.getResponseBody().write(body);
    }
    exchange.close();
  }

  private boolean run(Duration patience, String... all) {
    responses.addAll(List.of(all));
    Streams streams = new Streams(InputStream.nullInputStream(), out, err, false, false, 80);
    Session session = new Session(new RootCommand(), streams, InstantSource.fixed(CommandRun.NOW));
    DaemonClient daemon =
        new DaemonClient(session, "http://127.0.0.1:" + server.getAddress().getPort());
    return new JobClient(session, daemon, patience, false).backup(Path.of("/backups"), 0);
  }

  private boolean run(String... all) {
    return run(Duration.ofMinutes(1), all);
  }

  @Test
  void itsOutputIsAskedForLineByLine() {
    String running = "200 {'id':7,'state':'running','lines':3,'output':['a','b','c']}";
    String done = "200 {'id':7,'state':'done','lines':4,'output':['d']}";

    assertThat(run(BEGUN, running, done)).isTrue();
    assertThat(out.toString(UTF_8)).isEqualTo("a\nb\nc\nd\n");
    assertThat(err.toString(UTF_8)).isEmpty();
    assertThat(requests)
        .containsExactly(
            "POST /api/admin/backup",
            "GET /api/admin/jobs?id=7&from=0",
            "GET /api/admin/jobs?id=7&from=3");
  }

  @Test
  void linesThatTheDaemonHasDroppedAreCountedAndChangeNoStatus() {
    String running = "200 {'id':7,'state':'running','lines':1,'output':['a']}";
    String done = "200 {'id':7,'state':'done','lines':5000,'output':['y','z']}";

    assertThat(run(BEGUN, running, done)).isTrue();
    assertThat(out.toString(UTF_8)).isEqualTo("a\ny\nz\n");
    assertThat(err.toString(UTF_8))
        .isEqualTo(
            "hourstone: 4,997 lines of output lost: a daemon keeps only the latest ones of a"
                + " job\n");
  }

  @Test
  void requestsThatFailAreRepeated() {
    assertThat(run(BEGUN, NOTHING, "503 {'error':{'message':'no room'}}", DONE)).isTrue();
    assertThat(out.toString(UTF_8)).isEqualTo("a\nb\n");
    assertThat(err.toString(UTF_8)).isEmpty();
  }

  @Test
  void aDaemonThatStaysAwayEndsTheCommandNotTheJob() {
    for (String failure : List.of(NOTHING, "503 {'error':{'message':'no room'}}")) {
      responses.clear();
      assertThatThrownBy(() -> run(Duration.ZERO, BEGUN, failure))
          .isInstanceOf(CommandException.class)
          .hasMessageContaining("; job 7 goes on, unless the daemon has ended: GET http://127")
          .hasMessageEndingWith("/api/admin/jobs?id=7 shows it");
    }
  }

  @Test
  void aDaemonThatWasRestartedHasNoneOfItsJobs() {
    assertThatThrownBy(() -> run(BEGUN, "404 {'error':{'message':'no job has the id 7'}}"))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("has no job 7 any more: if the daemon has ended, the job was");
  }

  @Test
  void aJobThatFindsSomethingIsNotDone() {
    String part = "200 {'id':7,'state':'incomplete','lines':1,'output':['1 error']}";

    assertThat(run(BEGUN, part)).isFalse();
    assertThat(err.toString(UTF_8)).isEqualTo("hourstone: job 7 is incomplete\n");
  }
}
