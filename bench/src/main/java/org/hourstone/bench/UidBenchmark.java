package org.hourstone.bench;

import java.util.concurrent.TimeUnit;
import org.hourstone.Tsdb;
import org.hourstone.uid.UidKind;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Finding the UID of a name, and the name of a UID, in the caches. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class UidBenchmark {
  private static final int NAMES = 1000;

  private final Tsdb db = Tsdb.open("memory:");
  private final String[] names = new String[NAMES];
  private final byte[][] uids = new byte[NAMES][];
  private int next;

  public UidBenchmark() {
    for (int i = 0; i < NAMES; i++) {
      names[i] = "host_" + i;
      uids[i] = db.uids().assign(UidKind.TAGV, names[i]);
    }
  }

  @Benchmark
  public byte[] uid() {
    next = (next + 1) % NAMES;
    return db.uids().uid(UidKind.TAGV, names[next]);
  }

  @Benchmark
  public String name() {
    next = (next + 1) % NAMES;
    return db.uids().name(UidKind.TAGV, uids[next]);
  }

  @TearDown
  public void close() {
    db.close();
  }
}
