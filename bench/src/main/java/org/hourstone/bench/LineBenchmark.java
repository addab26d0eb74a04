package org.hourstone.bench;

import java.util.concurrent.TimeUnit;
import org.hourstone.Tsdb;
import org.hourstone.write.LineResolution;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** An import line of four tags: parsing, and finding its series among known ones. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class LineBenchmark {
  private static final int SERIES = 1000;

  @Param({"62", "62.34"})
  public String value = "";

  private final Tsdb db = Tsdb.open("memory:");
  private final String[] lines = new String[SERIES];
  private int next;

  @Benchmark
  public Object resolve() {
    String line = lines[next];
    if (line == null) {
      line = line(next);
      lines[next] = line;
    }
    next = (next + 1) % SERIES;
    return LineResolution.resolve(db.writer(), line);
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
