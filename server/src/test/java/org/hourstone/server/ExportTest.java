package org.hourstone.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPInputStream;
import org.hourstone.QuerySettings;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.api.request.Build;
import org.hourstone.api.request.Plotter;
import org.hourstone.kv.Family;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.KeyValueStores;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.Scan;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.hourstone.kv.StoreOptions;
import org.hourstone.testkit.LoggedBy;
import org.hourstone.write.ImportListener;
import org.hourstone.write.ImportOptions;
import org.hourstone.write.Importer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code /api/export} over connections that end at any byte. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class ExportTest {
  private static final long HOUR = 1_500_001_200;
  private static final TsdbOptions OPTIONS =
      TsdbOptions.defaults().with(Settings.AUTO_CREATE_METRICS, "true");

  /** Fails if a line is rejected. */
  private static final class Strict implements ImportListener {
    @Override
    public void rejected(String place, String reason) {
      fail(place + ": " + reason);
    }

    @Override
    public void read(long lines) {}

    @Override
    public void stored(String file, long lineNumber) {}
  }

  private static void importLines(Tsdb db, String lines) {
    db.importer(new ImportOptions(false, true, true), new Strict())
        .run("lines", new ByteArrayInputStream(lines.getBytes(UTF_8)));
    db.flush();
  }

  /** Lines of random points, none of which share a series and a time. */
  private static String lines(Random random, int points) {
    Map<String, String> lines = new TreeMap<>();
    for (int i = 0; i < points; i++) {
      String tags = " host=h" + random.nextInt(9) + (random.nextBoolean() ? " dc=lga" : "");
      long second = HOUR + random.nextInt(100_000);
      String time = random.nextBoolean() ? second + "" : second + "" + (1 + random.nextInt(999));
      String metric = "m" + random.nextInt(4);
      lines.put(
          metric + tags + second + random.nextInt(5),
          metric + " " + padded(time) + " " + value(random) + tags + "\n");
    }
    return String.join("", lines.values());
  }

  private static String padded(String time) {
    return time.length() > 10 ? (time + "00").substring(0, 13) : time;
  }

  private static String value(Random random) {
    return switch (random.nextInt(5)) {
      case 0 -> Long.toString(random.nextLong() >> random.nextInt(Long.SIZE));
      case 1 -> Float.toString(random.nextFloat() * 1000);
      case 2 -> random.nextInt(1000) + ".5d";
      case 3 -> Double.toString(Math.scalb(random.nextDouble(), random.nextInt(2000) - 1000));
      default -> Long.toString(random.nextInt(300));
    };
  }

  private static List<String> sorted(String export) {
    return export.lines().filter(line -> !line.startsWith("#")).sorted().toList();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatWasExportedInPiecesIsImportedAsAnEqualStore(boolean compressed) throws IOException {
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    try (Served from = Served.start(OPTIONS);
        Served to = Served.start(OPTIONS)) {
      importLines(from.db(), lines(random, 20_000));
      String whole = from.get("/api/export").body();

      String pieces = inPieces(from, random, compressed);

      assertThat(withoutEnd(pieces)).isEqualTo(withoutEnd(whole));
      importLines(to.db(), pieces);
      assertThat(sorted(to.get("/api/export").body())).isEqualTo(sorted(whole));
      for (int metric = 0; metric < 4; metric++) {
        assertThat(to.points("m" + metric)).isEqualTo(from.points("m" + metric));
      }
    }
  }

  /** Imports know no comments there but our own. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatWasExportedIsImportedInStrictModeAndWhereNamesMayContainAHash(boolean strict)
      throws IOException {
    TsdbOptions hash = OPTIONS.with(Settings.ALLOW_SPECIALCHARS, "#");
    TsdbOptions options =
        strict ? TsdbOptions.openTsdbDefaults().with(Settings.AUTO_CREATE_METRICS, "true") : hash;
    try (Served from = Served.start(hash);
        Served to = Served.start(options)) {
      for (int i = 0; i < 3000; i++) {
        for (String metric : strict ? List.of("m") : List.of("m", "#", "#m")) {
          from.db().put(metric, Instant.ofEpochSecond(HOUR + i * 60L), i + 0.25, Tags.of("a", "b"));
        }
      }
      byte[] unknown = HexFormat.of().parseHex("ffffff" + "596833b0" + "000001000001");
      from.db().engine().store().put(options.tables().points(), unknown, new byte[2], new byte[1]);
      from.db().flush();
      String export = from.get("/api/export").body();
      assertThat(export).contains("\n# after ", "\n# omitted: row ffffff", "\n# end: ");

      Importer importer = to.db().importer(options.importOptions(false), new Strict());
      importer.run("lines", new ByteArrayInputStream(export.getBytes(UTF_8)));
      to.db().flush();

      assertThat(importer.report().stored()).isEqualTo(strict ? 3000 : 9000);
      assertThat(importer.report().lines()).isEqualTo(points(export).size());
      assertThat(to.points("m")).isEqualTo(from.points("m"));
    }
  }

  private static List<String> points(String export) {
    return export.lines().filter(line -> line.matches("\\S+ \\d.*")).toList();
  }

  private static String withoutEnd(String export) {
    assertThat(export).contains("\n# end: ");
    return export.substring(0, export.indexOf("# end: "));
  }

  /** As a client does that gets some bytes each time. */
  private static String inPieces(Served served, Random random, boolean compressed)
      throws IOException {
    StringBuilder all = new StringBuilder();
    String after = "";
    while (true) {
      int bytes = random.nextInt(compressed ? 60_000 : 300_000);
      String part = part(served, after, bytes, compressed);
      if (part.contains("\n# end: ")) {
        return all.append(part).toString();
      }
      int place = part.lastIndexOf("\n# after ");
      int end = part.indexOf('\n', place + 1);
      if (place >= 0 && end < 0) { // the line is cut off
        place = part.lastIndexOf("\n# after ", place - 1);
        end = part.indexOf('\n', place + 1);
      }
      if (place >= 0) {
        after = "?after=" + part.substring(place + "\n# after ".length(), end);
        all.append(part, 0, end + 1);
      }
    }
  }

  private static String part(Served served, String after, int bytes, boolean compressed)
      throws IOException {
    try (Socket socket = new Socket(served.address().getAddress(), served.address().getPort())) {
      String accepted = compressed ? "Accept-Encoding: gzip\r\n" : "";
      socket
          .getOutputStream()
          .write(
              ("GET /api/export"
                      + after
                      + " HTTP/1.1\r\nHost: localhost\r\n"
                      + accepted
                      + "Connection: close\r\n\r\n")
                  .getBytes(UTF_8));
      byte[] received = socket.getInputStream().readNBytes(bytes);
      socket.setSoLinger(true, 0);
      return text(received, compressed);
    }
  }

  /** The text of what has arrived of a response. */
  private static String text(byte[] received, boolean compressed) throws IOException {
    ByteArrayInputStream in = new ByteArrayInputStream(received);
    String head = head(in);
    assertThat(head.isEmpty() || head.startsWith("HTTP/1.1 200")).isTrue();
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    boolean isChunked = head.contains("transfer-encoding: chunked");
    for (String size = isChunked ? line(in) : ""; !size.isEmpty(); size = line(in)) {
      body.write(in.readNBytes(Integer.parseInt(size, 16)));
      line(in);
    }
    if (!isChunked) {
      body.write(in.readAllBytes());
    }
    if (!compressed || body.size() == 0) {
      return body.toString(UTF_8);
    }
    assertThat(head).contains("content-encoding: gzip");
    ByteArrayOutputStream plain = new ByteArrayOutputStream();
    try (InputStream gzip = new GZIPInputStream(new ByteArrayInputStream(body.toByteArray()))) {
      for (int b = gzip.read(); b >= 0; b = gzip.read()) {
        plain.write(b);
      }
    } catch (EOFException e) {
      // The rest has not arrived.
    }
    return plain.toString(UTF_8);
  }

  private static String head(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    for (int b = in.read(); b >= 0; b = in.read()) {
      head.append((char) b);
      if (head.indexOf("\r\n\r\n") >= 0) {
        return head.toString();
      }
    }
    return "";
  }

  /** Empty if it is cut off. */
  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int b = in.read(); b >= 0; b = in.read()) {
      if (b == '\n') {
        return line.toString().strip();
      }
      line.append((char) b);
    }
    return "";
  }

  /** A store of which all reads of points but the first few fail. */
  private static KeyValueStore failing(KeyValueStore store, AtomicInteger left) {
    return new ForwardingStore(store) {
      @Override
      public RowCursor scan(Family family, Scan scan) {
        if (family.equals(TsdbOptions.defaults().tables().points())
            && left.getAndDecrement() == 0) {
          throw new StoreException(Outcome.NOT_APPLIED, "the disk has gone", null);
        }
        return super.scan(family, scan);
      }
    };
  }

  @Test
  void anExportThatFailsDoesNotLookComplete() throws IOException {
    AtomicInteger left = new AtomicInteger(Integer.MAX_VALUE);
    try (KeyValueStore store =
            KeyValueStores.open("memory:", new StoreOptions(TsdbOptions.defaults().clock()));
        Tsdb db = Tsdb.over(failing(store, left), OPTIONS);
        Server server =
            Server.start(
                db,
                Build.of("1"),
                ServerTest.options(InetAddress.getLoopbackAddress()),
                Plotter.none())) {
      importLines(db, lines(new Random(1), 20_000));
      for (String protocol : new String[] {"1.0", "1.1"}) {
        left.set(1);
        try (Client client = new Client(server.address())) {
          client.send("GET /api/export HTTP/" + protocol + "\r\nHost: localhost\r\n\r\n");
          String rest = restOrReset(client);
          assertThat(rest).startsWith("HTTP/1.1 200").doesNotContain("# end");
          assertThat(rest).doesNotEndWith("\n0\n\n");
        }
        left.set(0);
        try (Client client = new Client(server.address())) {
          client.send("GET /api/export HTTP/" + protocol + "\r\nHost: localhost\r\n\r\n");
          assertThat(client.line()).contains(" 503 ");
        }
      }
    }
  }

  @Test
  void anExportThatReachesALimitIsCutOffAndCounted() throws Exception {
    TsdbOptions limited = OPTIONS.with(QuerySettings.QUERY_MAX_POINTS, "10000");
    try (LoggedBy log = LoggedBy.anyThread("org.hourstone.refused");
        Served served = Served.start(limited)) {
      importLines(served.db(), lines(new Random(1), 20_000));
      try (Client client = served.connect()) {
        client.send("GET /api/export HTTP/1.1\r\nHost: localhost\r\n\r\n");
        assertThat(restOrReset(client)).startsWith("HTTP/1.1 200").doesNotContain("# end");
      }
      log.await(1);
      assertThat(log.lines())
          .singleElement(STRING)
          .startsWith(
              "WARNING refused query (illegal_arguments): the response was cut off: the export")
          .contains("10000 points", ": GET /api/export");
      assertThat(queryErrors(served)).isOne();
    }
  }

  private static long queryErrors(Served served) throws IOException {
    for (JsonNode each : new ObjectMapper().readTree(served.get("/api/stats").body())) {
      if (each.path("metric").asText().equals("tsd.query.errors")
          && each.path("tags").path("type").asText().equals("illegal_arguments")) {
        return each.path("value").asLong();
      }
    }
    return 0;
  }

  private static String restOrReset(Client client) throws IOException {
    StringBuilder rest = new StringBuilder();
    try {
      while (true) {
        rest.append(client.line()).append('\n');
      }
    } catch (IOException end) {
      return rest.toString();
    }
  }

  @Test
  void anExportEndsWithItsClient() throws IOException {
    try (Served served = Served.start(OPTIONS)) {
      importLines(served.db(), lines(new Random(2), 100_000));
      try (Client client = served.connect()) {
        client.send("GET /api/export HTTP/1.1\r\nHost: localhost\r\n\r\n");
        client.awaitByte();
        client.reset();
      }
      while (!served.db().runningQueries().list().isEmpty()) {
        Thread.onSpinWait(); // until it is noticed
      }
      assertThat(served.db().runningQueries().memoryBytes()).isZero();
    }
  }
}
