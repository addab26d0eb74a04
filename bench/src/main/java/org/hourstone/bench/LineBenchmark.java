package org.hourstone.bench;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.stream.Collectors.joining;

import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.hourstone.Tsdb;
import org.hourstone.api.BodyPoints;
import org.hourstone.write.DroppedPoints;
import org.hourstone.write.LineResolution;
import org.hourstone.write.Receipt;
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
 * A point of four tags as text, up to its series among 1,000 known ones and its number: from the
 * bytes of telnet, of an import file and of a put body of 500 points, as they arrive; and from a
 * line as a string, as unknown ones are read.
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
  private final DroppedPoints telnet = DroppedPoints.ofTelnet(db.writer());
  private final DroppedPoints imported = DroppedPoints.ofImport(db.writer());
  private final DroppedPoints json = DroppedPoints.ofJson(db.writer());
  private final String[] lines = new String[SERIES];
  private final byte[][] lineBytes = new byte[SERIES][];
  private final byte[][] telnetBytes = new byte[SERIES][];
  private final String[] bodies = new String[SERIES / POINTS_PER_BODY];

  @Setup
  public void makeSeriesKnown() {
    for (int i = 0; i < SERIES; i++) {
      lines[i] = line(i);
      lineBytes[i] = lines[i].getBytes(US_ASCII);
      telnetBytes[i] = ("put " + lines[i]).getBytes(US_ASCII);
      db.writer().putTelnetLine("put " + lines[i], FAILING, 0);
      LineResolution.resolve(db.writer(), lines[i]);
    }
    db.flush();
    for (int i = 0; i < bodies.length; i++) {
      bodies[i] =
          IntStream.range(i * POINTS_PER_BODY, (i + 1) * POINTS_PER_BODY)
              .mapToObj(series -> PeerInput.json(lines[series]))
              .collect(joining(",", "[", "]"));
      BodyPoints.remember(bodies[i], json.batch());
    }
  }

  @Benchmark
  @OperationsPerInvocation(SERIES)
  public int telnetLine() {
    int taken = 0;
    for (byte[] line : telnetBytes) {
      taken += telnet.batch().addTelnetLine(line, 0, line.length, 0) ? 1 : 0;
    }
    telnet.drop();
    return checked(taken);
  }

  @Benchmark
  @OperationsPerInvocation(SERIES)
  public int importLine() {
    int taken = 0;
    for (byte[] line : lineBytes) {
      taken += imported.addImportLine(line) ? 1 : 0;
    }
    imported.drop();
    return checked(taken);
  }

  @Benchmark
  @OperationsPerInvocation(SERIES)
  public int jsonBody() {
    int taken = 0;
    for (String body : bodies) {
      taken += BodyPoints.add(body, json.batch());
    }
    json.drop();
    return checked(taken);
  }

  @Benchmark
  @OperationsPerInvocation(SERIES)
  public Object lineAsString() {
    Object last = "";
    for (String line : lines) {
      last = LineResolution.resolve(db.writer(), line);
    }
    return last;
  }

  private static int checked(int taken) {
    if (taken != SERIES) {
      throw new IllegalStateException(taken + " of " + SERIES + " points were taken");
    }
    return taken;
  }

  private String line(int i) {
    return "cpu.usage_user 1704067230 "
        + value
        + " host=host_"
        + i
        + " region=eu-west-1 datacenter=eu-west-1a os=debian12";
  }

  private static final Receipt FAILING =
      new Receipt() {
        @Override
        public void stored(long token) {}

        @Override
        public void failed(long token, RuntimeException reason) {
          throw reason;
        }
      };

  @TearDown
  public void close() {
    db.close();
  }
}
