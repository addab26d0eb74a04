package org.hourstone.write;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.Schema;
import org.junit.jupiter.api.Test;

class ImportOrderTest {
  private final RowKey keys = new RowKey(Schema.DEFAULT);

  private Series series(int number) {
    byte[] tsuid = ByteBuffer.allocate(9).putInt(5, number).array();
    return new Series(keys, tsuid, 0, Long.MAX_VALUE);
  }

  @Test
  void knowsTheLatestOfEverySeriesWhereThereIsRoom() {
    ImportOrder order = new ImportOrder(64L * 100_000);
    for (int i = 0; i < 100_000; i++) {
      assertThat(order.latest(series(i))).isEqualTo(ImportOrder.NONE);
      order.advance(series(i), i);
    }
    for (int i = 0; i < 100_000; i++) {
      assertThat(order.latest(series(i))).isEqualTo(i);
      assertThat(order.knows(series(i))).isTrue();
    }
    order.advance(series(7), 5);
    assertThat(order.latest(series(7))).isEqualTo(7);
  }

  /** Whatever is forgotten: no point that may repeat one is taken for a new one. */
  @Test
  void neverTakesARepeatForNewInLittleMemory() {
    Random random = new Random(1);
    for (int bytes : new int[] {1, 300, 5_000, 100_000}) {
      ImportOrder order = new ImportOrder(bytes);
      Map<Integer, Long> expected = new HashMap<>();
      for (int i = 0; i < 30_000; i++) {
        int number = random.nextInt(3000);
        long latest = expected.getOrDefault(number, ImportOrder.NONE);
        assertThat(order.latest(series(number))).isGreaterThanOrEqualTo(latest);
        long millis = i / 10L + random.nextInt(1000);
        order.advance(series(number), Math.max(order.latest(series(number)), millis));
        expected.merge(number, millis, Math::max);
      }
    }
  }

  @Test
  void mostNewSeriesAreNewThoughOthersWereForgotten() {
    ImportOrder order = new ImportOrder(1 << 20);
    for (int i = 0; i < 100_000; i++) {
      order.advance(series(i), 1000);
    }
    int lookedUp = 0;
    for (int i = 100_000; i < 101_000; i++) {
      lookedUp += order.latest(series(i)) == ImportOrder.NONE ? 0 : 1;
    }
    assertThat(lookedUp).isLessThan(200);
  }
}
