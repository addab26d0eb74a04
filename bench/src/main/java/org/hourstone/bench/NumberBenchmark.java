package org.hourstone.bench;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Reading a number from bytes, and beside it as Java does from a string. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class NumberBenchmark {
  @Param({"62", "62.34", "0.12345678901234567", "6.02214076e23"})
  public String text = "";

  private final Object reader = Inner.numberReader();
  private byte[] bytes = {};

  @Benchmark
  public long fromBytes() throws Throwable {
    if (bytes.length == 0) {
      bytes = text.getBytes(US_ASCII);
    }
    return Inner.number(reader, bytes);
  }

  @Benchmark
  public double parseDouble() {
    return Double.parseDouble(text);
  }
}
