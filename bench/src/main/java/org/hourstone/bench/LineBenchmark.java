package org.hourstone.bench;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.concurrent.TimeUnit;
import org.hourstone.Tsdb;
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
 * A point of four tags in the bytes of a telnet line, or of a line of an import file, up to its
 * series among 1,000 known ones and its number, in the columns that the writer takes.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class LineBenchmark {
  private static final int SERIES = 1000;

  @Param({"62", "62.34"})
  public String value = "";

  private final Tsdb db = Tsdb.open("memory:");
  private final byte[][] lines = new byte[SERIES][];

  @Setup
  public void makeSeriesKnown() {
    Stored stored = new Stored();
    for (int i = 0; i < SERIES; i++) {
      String line = "put " + line(i);
      lines[i] = line.getBytes(US_ASCII);
      db.writer().putTelnetLine(line, stored, 0);
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
