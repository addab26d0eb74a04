package org.hourstone.bench;

import java.io.ByteArrayOutputStream;
import java.util.concurrent.TimeUnit;
import org.hourstone.codec.DuplicatePolicy;
import org.hourstone.codec.Qualifier;
import org.hourstone.codec.RowDecoder;
import org.hourstone.codec.RowPoints;
import org.hourstone.codec.Value;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Decoding an hour of points every ten seconds, per point: from a cell each, and from one. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class RowDecoderBenchmark {
  private static final int POINTS = 360;
  private static final int STEP_SECONDS = 10;

  private final byte[][] qualifiers = new byte[POINTS][];
  private final byte[][] values = new byte[POINTS][];
  private final byte[] compactedQualifier;
  private final byte[] compactedValue;
  private final RowDecoder decoder = new RowDecoder(DuplicatePolicy.NEWEST_WINS, false);
  private final RowPoints points = new RowPoints();

  public RowDecoderBenchmark() {
    ByteArrayOutputStream allQualifiers = new ByteArrayOutputStream();
    ByteArrayOutputStream allValues = new ByteArrayOutputStream();
    for (int i = 0; i < POINTS; i++) {
      int flags = Value.flagsOf(i % 100);
      qualifiers[i] = Qualifier.encodeSeconds(i * STEP_SECONDS, flags);
      values[i] = Value.encode(flags, i % 100);
      allQualifiers.writeBytes(qualifiers[i]);
      allValues.writeBytes(values[i]);
    }
    allValues.write(0); // the last byte of a compacted value
    compactedQualifier = allQualifiers.toByteArray();
    compactedValue = allValues.toByteArray();
  }

  @Benchmark
  @OperationsPerInvocation(POINTS)
  public RowPoints aCellPerPoint() {
    decoder.start();
    for (int i = 0; i < POINTS; i++) {
      decoder.add(qualifiers[i], values[i], 1);
    }
    decoder.finish(points);
    return points;
  }

  @Benchmark
  @OperationsPerInvocation(POINTS)
  public RowPoints oneCompactedCell() {
    decoder.start();
    decoder.add(compactedQualifier, compactedValue, 1);
    decoder.finish(points);
    return points;
  }
}
