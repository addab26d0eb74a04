package org.hourstone.bench;

import java.util.concurrent.TimeUnit;
import org.hourstone.codec.Qualifier;
import org.hourstone.codec.Value;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Blackhole;

/** Qualifier and value of one point, encoded and decoded. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class CellBenchmark {
  /** One point of each common form. */
  public enum Point {
    SECONDS_INT_1(1_704_067_230, Value.flagsOf(42), 42),
    SECONDS_DOUBLE_8(1_704_067_230, Value.DOUBLE_FLAGS, Value.rawOf(62.34)),
    MILLIS_DOUBLE_8(1_704_067_230_125L, Value.DOUBLE_FLAGS, Value.rawOf(62.34));

    private final long timestamp;
    private final int flags;
    private final long raw;

    Point(long timestamp, int flags, long raw) {
      this.timestamp = timestamp;
      this.flags = flags;
      this.raw = raw;
    }
  }

  @Param public Point point = Point.SECONDS_INT_1;

  private byte[] qualifier = {};
  private byte[] value = {};

  @Setup
  public void encodeOnce() {
    qualifier = Qualifier.encode(point.timestamp, point.flags);
    value = Value.encode(point.flags, point.raw);
  }

  @Benchmark
  public void encode(Blackhole hole) {
    hole.consume(Qualifier.encode(point.timestamp, point.flags));
    hole.consume(Value.encode(point.flags, point.raw));
  }

  @Benchmark
  public void decode(Blackhole hole) {
    int flags = Qualifier.flags(qualifier, 0);
    hole.consume(Qualifier.offsetMillis(qualifier, 0));
    hole.consume(Value.toDouble(flags, Value.decode(flags, value, 0)));
  }
}
