package org.hourstone.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.Schema;
import org.hourstone.codec.TagPair;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Row keys of a series with four tags: built from UIDs, built from the TSUID, parsed. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class RowKeyBenchmark {
  private static final long BASE_TIME = 1_704_067_200;

  private final RowKey plain = new RowKey(Schema.DEFAULT);
  private final RowKey salted = new RowKey(new Schema(3, 3, 3, 1, 20, 8));
  private final byte[] metric = {0, 0, 1};
  private final List<TagPair> tags = tags();
  private final byte[] tsuid = plain.tsuid(metric, tags);
  private final byte[] row = plain.rowKey(tsuid, BASE_TIME);

  private static List<TagPair> tags() {
    List<TagPair> tags = new ArrayList<>();
    for (byte i = 4; i > 0; i--) {
      tags.add(new TagPair(new byte[] {0, 0, i}, new byte[] {0, i, i}));
    }
    return tags;
  }

  @Benchmark
  public byte[] tsuidOfUids() {
    return plain.tsuid(metric, tags);
  }

  @Benchmark
  public byte[] rowKeyOfTsuid() {
    return plain.rowKey(tsuid, BASE_TIME);
  }

  @Benchmark
  public byte[] saltedRowKeyOfTsuid() {
    return salted.rowKey(tsuid, BASE_TIME);
  }

  @Benchmark
  public byte[] tsuidOfRowKey() {
    return plain.tsuid(row);
  }
}
