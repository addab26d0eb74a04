package org.hourstone.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.Lists;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.hourstone.codec.Schema;
import org.hourstone.internal.Backoff;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.SchemaMode;
import org.hourstone.kv.StoreException;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.store.FaultPlan;
import org.hourstone.testkit.store.FaultPlan.Fault;
import org.hourstone.testkit.store.FaultPlan.Operation;
import org.hourstone.testkit.store.FaultyStore;
import org.hourstone.testkit.store.ModelStore;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whatever becomes of a metric, what is kept of it counts, and no more than that. */
class LoadedMetricsTest {
  private static final Family FAMILY = new Family("index", "i");
  private static final int MOST = 200_000;

  private final FaultPlan plan = new FaultPlan(1);
  private final KeyValueStore store =
      new FaultyStore(new ModelStore(new ManualClock(Instant.ofEpochSecond(1_500_000_000))), plan);
  private final IndexTable table = new IndexTable(store, FAMILY, Backoff.none());
  private final LoadedMetrics loaded = new LoadedMetrics(table, Schema.DEFAULT, MOST);

  @BeforeEach
  void create() {
    store.ensure(List.of(new FamilySpec(FAMILY, false)), SchemaMode.CREATE);
  }

  private static byte[] metric(int number) {
    return new byte[] {0, (byte) (number >> 8), (byte) number};
  }

  /** Creates and announces series with one tag each, and returns the metric's counter. */
  private long grow(byte[] metric, int from, int to) {
    List<byte[]> tsuids = new ArrayList<>();
    for (int i = from; i < to; i++) {
      tsuids.add(
          new byte[] {
            metric[0], metric[1], metric[2], 0, 0, 1, (byte) (i >> 16), (byte) (i >> 8), (byte) i
          });
    }
    long counter = 0;
    for (List<byte[]> part : Lists.partition(tsuids, 1000)) {
      table.putDone(part);
      counter = table.announce(metric, part);
    }
    return counter;
  }

  @Test
  void metricsThatCanNotBeReadTakeNoMoreThanTheMemory() {
    plan.fail(Operation.SCAN, Fault.NOT_APPLIED, 1);
    for (int i = 0; i < 1000; i++) {
      byte[] metric = metric(i);
      assertThatThrownBy(() -> loaded.get(metric, 0, 1)).isInstanceOf(StoreException.class);
    }
    assertThat(loaded.size()).isBetween(1, 200);
    assertThat(loaded.memory()).isBetween(1L, (long) MOST);

    plan.calm();
    assertThat(loaded.get(metric(999), 0, 1)).isNotNull();
    assertThat(loaded.memory()).isLessThanOrEqualTo(MOST);
  }

  @Test
  void aMetricThatGrowsTooLargeNoLongerCountsAsWhatItWas() {
    byte[] metric = metric(1);
    long counter = grow(metric, 0, 1000);
    Objects.requireNonNull(loaded.get(metric, counter, 1));
    long small = loaded.memory();
    long later = grow(metric, 1000, 100_000);

    assertThat(loaded.get(metric, later, 2)).as("of a new generation").isNull();
    assertThat(loaded.memory()).isBetween(1L, small - 1);
    assertThat(loaded.size()).as("what is known of it").isEqualTo(1);

    loaded.drop(metric);
    assertThat(loaded.memory()).isZero();
  }
}
