package org.hourstone.bench;

import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.hourstone.codec.CompactedCell;
import org.hourstone.codec.DuplicatePolicy;
import org.hourstone.codec.PackedPoints;
import org.hourstone.codec.RowDecoder;
import org.hourstone.codec.RowPoints;
import org.hourstone.codec.Value;
import org.hourstone.codec.coded.CodedPoints;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Blackhole;

/** Coding rows for rest and back, per point. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class CodedPointsBenchmark {
  private static final int POINTS = 36_000;
  private static final int HOUR_SECONDS = 3600;
  private static final int STEP_SECONDS = 10;

  /** Of a load in percent: two, or whole numbers. */
  @Param({"false", "true"})
  public boolean decimals;

  private CompactedCell[] cells = {};
  private byte[][] coded = {};
  private byte[][] starts = {};
  private PackedPoints[] packed = {};
  private final RowDecoder decoder = new RowDecoder(DuplicatePolicy.NEWEST_WINS, false);

  @Setup
  public void makeRows() {
    Random random = new Random(1);
    cells = new CompactedCell[POINTS * STEP_SECONDS / HOUR_SECONDS];
    coded = new byte[cells.length][];
    starts = new byte[cells.length][];
    packed = new PackedPoints[cells.length];
    for (int i = 0; i < cells.length; i++) {
      cells[i] = row(random);
      coded[i] = CodedPoints.encode(cells[i].qualifier(), cells[i].value());
      starts[i] = Arrays.copyOf(cells[i].qualifier(), 2);
      RowPoints points = new RowPoints();
      CodedPoints.addPoints(coded[i], starts[i], points);
      packed[i] = points.packed(0);
    }
  }

  private CompactedCell row(Random random) {
    RowPoints points = new RowPoints();
    double load = random.nextDouble() * 100;
    for (int second = 0; second < HOUR_SECONDS; second += STEP_SECONDS) {
      load = Math.min(100, Math.max(0, load + random.nextGaussian()));
      if (decimals) {
        double rounded = Math.rint(load * 100) / 100;
        points.add(second * 1000, false, Value.DOUBLE_FLAGS, Value.rawOf(rounded));
      } else {
        long whole = Math.round(load);
        points.add(second * 1000, false, Value.flagsOf(whole), whole);
      }
    }
    return CompactedCell.of(points, 0, points.size());
  }

  @Benchmark
  @OperationsPerInvocation(POINTS)
  public void encode(Blackhole results) {
    for (CompactedCell cell : cells) {
      results.consume(CodedPoints.encode(cell.qualifier(), cell.value()));
    }
  }

  @Benchmark
  @OperationsPerInvocation(POINTS)
  public void decode(Blackhole results) {
    for (byte[] cell : coded) {
      results.consume(CodedPoints.decode(cell, 0, cell.length));
    }
  }

  /** As queries do, without the bytes of the cell. */
  @Benchmark
  @OperationsPerInvocation(POINTS)
  public void decodeToColumns(Blackhole results) {
    for (int i = 0; i < coded.length; i++) {
      byte[] cell = coded[i];
      byte[] start = starts[i];
      decoder.start();
      decoder.add(points -> CodedPoints.addPoints(cell, start, points), 1);
      results.consume(decoder.finish());
    }
  }

  /** The same of a compacted cell, which is not coded. */
  @Benchmark
  @OperationsPerInvocation(POINTS)
  public void decodeCompacted(Blackhole results) {
    for (CompactedCell cell : cells) {
      decoder.start();
      decoder.add(cell.qualifier(), cell.value(), 1);
      results.consume(decoder.finish());
    }
  }

  /** As queries do with a cell that was kept. */
  @Benchmark
  @OperationsPerInvocation(POINTS)
  public void unpackToColumns(Blackhole results) {
    for (PackedPoints cell : packed) {
      decoder.start();
      decoder.add(
          points -> {
            points.addAll(cell);
            return true;
          },
          1);
      results.consume(decoder.finish());
    }
  }
}
