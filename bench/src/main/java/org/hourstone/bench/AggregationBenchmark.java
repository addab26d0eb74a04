package org.hourstone.bench;

import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.hourstone.series.Aggregation;
import org.hourstone.series.Aggregator;
import org.hourstone.series.Downsample;
import org.hourstone.series.MemoryLease;
import org.hourstone.series.PointColumn;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Aggregating an hour of 100 series with a point every ten seconds, per point. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class AggregationBenchmark {
  private static final int SERIES = 100;
  private static final int POINTS = 360;

  @Param({"sum", "avg", "p99"})
  public String aggregator = "";

  private final PointColumn[] series = new PointColumn[SERIES];

  public AggregationBenchmark() {
    for (int i = 0; i < SERIES; i++) {
      series[i] = new PointColumn();
      for (int point = 0; point < POINTS; point++) {
        series[i].addLong(point * 10_000L, (i * 31L + point) % 100);
      }
    }
  }

  @Benchmark
  @OperationsPerInvocation(SERIES * POINTS)
  public PointColumn points() {
    return aggregate(null);
  }

  @Benchmark
  @OperationsPerInvocation(SERIES * POINTS)
  public PointColumn bucketsOfFiveMinutes() {
    return aggregate(Downsample.parse("5m-avg"));
  }

  private PointColumn aggregate(@Nullable Downsample downsample) {
    Aggregation aggregation =
        new Aggregation(
            Aggregator.parse(aggregator),
            downsample,
            null,
            Set.of(),
            MemoryLease.untracked(),
            () -> {});
    for (int i = 0; i < SERIES; i++) {
      aggregation.add(new byte[] {(byte) i}).addAll(series[i]);
    }
    PointColumn result = new PointColumn();
    aggregation.finish(result);
    return result;
  }
}
