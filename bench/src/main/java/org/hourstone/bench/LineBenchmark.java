package org.hourstone.bench;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.hourstone.Tsdb;
import org.hourstone.api.Api;
import org.hourstone.api.ApiAnswer;
import org.hourstone.api.ApiCall;
import org.hourstone.write.TextPoints;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * A point of four tags as text, up to its series among 1,000 known ones and its number, in the
 * columns that the writer takes: from the bytes of a telnet line, as those of an import file are
 * read, too, and of a put body of 500 points.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class LineBenchmark {
  private static final int SERIES = 1000;
  private static final int POINTS_PER_BODY = 500;

  @Param({"62", "62.34"})
  public String value = "";

  private final Tsdb db = Tsdb.open("memory:");
  private final byte[][] lines = new byte[SERIES][];
  private final byte[][] bodies = new byte[SERIES / POINTS_PER_BODY][];

  @Setup
  public void makeSeriesKnown() {
    Stored stored = new Stored();
    for (int i = 0; i < SERIES; i++) {
      String line = "put " + line(i);
      lines[i] = line.getBytes(US_ASCII);
      db.writer().putTelnetLine(line, stored, 0);
    }
    Api api = new Api(db);
    for (int i = 0; i < bodies.length; i++) {
      String body =
          IntStream.range(i * POINTS_PER_BODY, (i + 1) * POINTS_PER_BODY)
              .mapToObj(series -> PeerInput.json(line(series)))
              .collect(joining(",", "[", "]"));
      bodies[i] = body.getBytes(UTF_8);
      ApiAnswer answer = api.answer(ApiCall.of("POST", "/api/put", body));
      if (answer.status() != 204) {
        throw new IllegalStateException(answer.body());
      }
    }
    db.flush();
  }

  @Benchmark
  @OperationsPerInvocation(SERIES)
  public TextPoints telnetLine() {
    TextPoints points = db.writer().telnetPoints();
    points.expect(SERIES);
    for (byte[] line : lines) {
      points.addTelnetLine(line, 0, line.length, 0);
    }
    return checked(points);
  }

  @Benchmark
  @OperationsPerInvocation(SERIES)
  public TextPoints jsonBody() throws Throwable {
    TextPoints points = db.writer().jsonPoints();
    points.expect(SERIES);
    for (byte[] body : bodies) {
      Inner.scanPuts(body, points);
    }
    return checked(points);
  }

  private static TextPoints checked(TextPoints points) {
    if (points.size() != SERIES) {
      throw new IllegalStateException(points.size() + " of " + SERIES + " points were taken");
    }
    return points;
  }

  private String line(int i) {
    return "cpu.usage_user 1704067230 "
        + value
        + " host=host_"
        + i
        + " region=eu-west-1 datacenter=eu-west-1a os=debian12";
  }

  @TearDown
  public void close() {
    db.close();
  }
}
