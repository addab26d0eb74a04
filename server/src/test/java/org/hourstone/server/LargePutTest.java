package org.hourstone.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.api.ApiUpload;
import org.hourstone.api.request.Build;
import org.hourstone.api.request.Plotter;
import org.hourstone.server.Client.Response;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Large put bodies are stored while they arrive, in little memory and without threads to wait. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class LargePutTest {
  private static final int MAX_BODY = 72 << 20;

  /** Three parts: one that is handled, one that waits, and what is kept of those before. */
  private static final int MEMORY = 3 * ApiUpload.WHOLE_BYTES + (1 << 18);

  private static final int THREADS = 2;
  private static final int LARGE = 3 * ApiUpload.WHOLE_BYTES / 2;
  private static final int TRIES = 10_000;

  private Tsdb db;
  private Server server;

  @BeforeEach
  void start() throws IOException {
    db = Tsdb.open("memory:", TsdbOptions.defaults().with(Settings.AUTO_CREATE_METRICS, "true"));
    server = serve(MEMORY);
  }

  /** An eighth of the memory is left for small bodies. */
  private Server serve(int memory) throws IOException {
    ServerOptions options =
        new ServerOptions(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            100,
            new ServerOptions.Bodies(MAX_BODY, memory * 8L / 7),
            4096,
            new ServerOptions.Requests(THREADS, 100),
            new ServerOptions.Patience(Duration.ofSeconds(60), Duration.ofSeconds(60)));
    return Server.start(db, Build.of("1.2.3"), options, Plotter.none());
  }

  @AfterEach
  void stop() {
    server.close();
    db.close();
  }

  /** A body of at least N bytes, its points padded with blanks, as text or another shape. */
  private record Body(byte[] bytes, int points) {
    static Body of(int size, String field) {
      StringBuilder text = new StringBuilder("[");
      String pad = " ".repeat(150);
      int count = 0;
      while (text.length() < size) {
        text.append(count == 0 ? "" : ",\n")
            .append("{\"metric\":\"m\",")
            .append(field)
            .append(pad)
            .append("\"timestamp\":")
            .append(1_500_000_000 + count)
            .append(",\"value\":1,\"tags\":{\"h\":\"a\"}}");
        count++;
      }
      return new Body(text.append(']').toString().getBytes(US_ASCII), count);
    }

    String head(String parameters, String headers) {
      return "POST /api/put?%s HTTP/1.1\r\nHost: localhost\r\n%sContent-Length: %d\r\n\r\n"
          .formatted(parameters, headers, bytes.length);
    }

    byte[] part(int from, int to) {
      return Arrays.copyOfRange(bytes, from, to);
    }
  }

  private Client connect() throws IOException {
    return new Client(server.address());
  }

  private Response put(String headers, byte[] bytes) throws IOException {
    try (Client client = connect()) {
      client.sendRequest("POST", "/api/put?summary", headers, bytes);
      return client.response();
    }
  }

  @Test
  void aBodyOfManyTimesTheMemoryIsStoredAndTheConnectionIsKept() throws IOException {
    Body body = Body.of(64 << 20, "");
    assertThat(body.bytes()).hasSizeGreaterThan(15 * MEMORY);
    try (Client client = connect()) {
      client.send(body.head("summary", "Expect: 100-continue\r\n"));
      assertThat(client.response().status()).isEqualTo(100);
      client.send(body.bytes());
      client.send("GET /api/version HTTP/1.1\r\nHost: localhost\r\n\r\n");

      assertThat(client.response().body())
          .isEqualTo("{\"success\":" + body.points() + ",\"failed\":0}");
      assertThat(client.response().body()).contains("1.2.3");
      client.sendRequest("POST", "/api/put", "", Body.of(100, "").bytes());
      assertThat(client.response().status()).isEqualTo(204);
    }
    assertThat(db.writer().stats().stored()).isEqualTo(body.points() + 1);
  }

  @Test
  void aCompressedBodyIsDecompressedInLittleMemory() throws IOException {
    Body body = Body.of(16 << 20, "\"more\":\"\\\"[\",");
    ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(compressed)) {
      gzip.write(body.bytes());
    }
    String gzip = "Content-Encoding: gzip\r\n";

    assertThat(put(gzip, compressed.toByteArray()).body())
        .isEqualTo("{\"success\":" + body.points() + ",\"failed\":0}");

    compressed.write(1);
    assertThat(put(gzip, compressed.toByteArray()).body())
        .contains("\"code\":400", " points before that were stored", "can't be decompressed");
  }

  @Test
  void aBodyThatIsTooLargeWhenDecompressedTellsWhatIsStored() throws IOException {
    ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(compressed)) {
      gzip.write(Body.of(LARGE, "").bytes());
      for (int i = 0; i < MAX_BODY >> 20; i++) {
        gzip.write(" ".repeat(1 << 20).getBytes(UTF_8));
      }
    }

    assertThat(put("Content-Encoding: gzip\r\n", compressed.toByteArray()).body())
        .contains("\"code\":413", " points before that were stored");
  }

  @Test
  void aFaultyBodyTellsHowManyPointsAreStored() throws IOException {
    byte[] bytes = Body.of(4 * ApiUpload.WHOLE_BYTES, "").bytes();
    bytes[bytes.length - 1] = '}';

    String response = put("", bytes).body();

    assertThat(response).contains("\"code\":400", "Unable to parse the given JSON; ");
    assertThat(response).contains(db.writer().stats().stored() + " points before that were stored");
  }

  @Test
  void aClientThatDisconnectsHalfWayLeavesTheMemoryFree() throws IOException {
    Body body = Body.of(16 << 20, "");
    try (Client client = connect()) {
      client.send(body.head("", ""));
      client.send(body.part(0, LARGE));
    }
    awaitRoomFor(body);
    try (Client client = connect()) {
      client.send(body.head("", ""));
      client.send(body.part(0, LARGE));
      client.endOfInput();
      assertThat(client.rest()).contains("400 Bad Request", " points before that were stored");
    }
    awaitRoomFor(body);
  }

  /** Puts a body until the server has seen that the client before has gone. */
  private void awaitRoomFor(Body body) throws IOException {
    int status = 503;
    for (int i = 0; i < TRIES && status == 503; i++) {
      status = put("", body.bytes()).status();
    }
    assertThat(status).isEqualTo(200);
  }

  @Test
  void clientsThatSendSlowlyHoldNoThreads() throws IOException {
    Body body = Body.of(2 * ApiUpload.WHOLE_BYTES / 3 + ApiUpload.WHOLE_BYTES / 2, "");
    int begun = ApiUpload.WHOLE_BYTES + 20_000;
    server.close();
    server = serve(2 * THREADS * 2 * begun); // a part's room is free a moment after it is stored
    List<Client> slow = new ArrayList<>();
    try {
      for (int i = 0; i < 2 * THREADS; i++) {
        Client client = connect();
        slow.add(client);
        client.send(body.head("summary", ""));
        client.send(body.part(0, begun));
        awaitStored((i + 1) * (body.points() * 4L / 5));
      }

      assertThat(Client.request(server.address(), "GET", "/api/version", "").status())
          .isEqualTo(200);

      for (Client client : slow) {
        client.send(body.part(begun, body.bytes().length));
        assertThat(client.response().status()).isEqualTo(200);
      }
    } finally {
      for (Client client : slow) {
        client.close();
      }
    }
  }

  private void awaitStored(long points) {
    while (db.writer().stats().stored() < points) {
      Thread.onSpinWait();
      assertThat(Thread.interrupted()).as("takes too long").isFalse(); // by the class's timeout
    }
  }

  @Test
  void aRequestThatIsRefusedAnywayIsAnsweredBeforeItsBodyHasArrived() throws IOException {
    Body body = Body.of(LARGE, "");
    for (String target : List.of("PUT /api/put", "POST /api/histogram")) {
      try (Client client = connect()) {
        client.send(
            target + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + MAX_BODY + "\r\n\r\n");
        client.send(body.bytes());

        Response response = client.response();
        assertThat(response.status()).isIn(405, 503);
        assertThat(response.headers()).containsEntry("connection", "close");
      }
    }
  }

  @Test
  void aBodyThatArrivesWhenTheServerStopsIsStored() throws Exception {
    Body body = Body.of(4 * ApiUpload.WHOLE_BYTES, "");
    try (Client client = connect()) {
      client.send(body.head("summary", ""));
      client.send(body.part(0, LARGE));
      awaitStored(1);
      Thread stopping = new Thread(server::close);
      stopping.start();
      awaitRefusal();
      client.send(body.part(LARGE, body.bytes().length));

      assertThat(client.rest())
          .contains("connection: close")
          .endsWith("{\"success\":" + body.points() + ",\"failed\":0}");
      stopping.join();
    }
  }

  /** Waits until no connections are accepted. */
  private void awaitRefusal() throws IOException {
    for (int i = 0; i < TRIES; i++) {
      try (Client client = connect()) {
        client.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
      } catch (ConnectException e) {
        return;
      } catch (IOException e) {
        // it was closed at once, since the server was stopping
      }
    }
  }
}
