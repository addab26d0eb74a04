package org.hourstone.head;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.primitives.Ints;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.Schema;
import org.hourstone.kv.Scan;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows that are open are found by their keys and in their order, as in a sorted map. */
class VisibleRowsTest {
  private static final int HOUR = 3600;
  private static final byte[] TAGS = {0, 0, 1, 0, 0, 0};

  private static OpenRow open(byte[] key) {
    OpenRow row = new OpenRow(key, 0, 1, 0, null, null);
    row.add(0, false, 0, 1);
    return row;
  }

  private static byte[] key(RowKey keys, int metric, int hour, int tagv) {
    byte[] tsuid = new byte[9];
    tsuid[2] = (byte) metric;
    System.arraycopy(TAGS, 0, tsuid, 3, TAGS.length);
    System.arraycopy(Ints.toByteArray(tagv), 1, tsuid, 6, 3);
    return keys.rowKey(tsuid, (long) hour * HOUR);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void theyAreThoseOfASortedMap(int saltWidth) {
    Schema schema = new Schema(3, 3, 3, saltWidth, 20, 8);
    RowKey keys = new RowKey(schema);
    VisibleRows rows = new VisibleRows(schema);
    NavigableMap<byte[], OpenRow> expected = new TreeMap<>(Arrays::compareUnsigned);
    Random random = new Random(5);
    for (int i = 0; i < 60_000; i++) {
      // Few at first, then many, then few: groups begin, grow, shrink and end.
      boolean adds = random.nextInt(100) < (i / 20_000 % 2 == 0 ? 65 : 25);
      byte[] key = key(keys, random.nextInt(3), random.nextInt(3), random.nextInt(3_000));
      OpenRow known = expected.get(key);
      if (adds && known == null) {
        OpenRow row = open(key);
        rows.show(row);
        rows.show(row); // after an error
        expected.put(key, row);
      } else if (!adds && known != null) {
        known.close();
        if (random.nextInt(20) == 0) { // before it is hidden another may be opened
          OpenRow next = open(key);
          rows.show(next);
          rows.hide(known);
          expected.put(key, next);
        } else {
          rows.hide(known);
          expected.remove(key);
        }
      }
      if (i % 97 == 0) {
        assertThat(rows.row(key)).isSameAs(expected.get(key));
        compare(rows, expected, range(random, keys), 1 + random.nextInt(500));
      }
    }
    assertThat(rows.all()).containsExactlyElementsOf(expected.values());
    assertThat(rows.size()).isEqualTo(expected.size());
  }

  /** From a prefix, a key, or a key with more bytes, to another. */
  private static Scan range(Random random, RowKey keys) {
    byte[] one = bound(random, keys);
    byte[] other = bound(random, keys);
    boolean ascending = Arrays.compareUnsigned(one, other) <= 0;
    return random.nextInt(4) == 0
        ? Scan.range(one, null)
        : Scan.range(ascending ? one : other, ascending ? other : one);
  }

  private static byte[] bound(Random random, RowKey keys) {
    byte[] key = key(keys, random.nextInt(4), random.nextInt(4), random.nextInt(3_000));
    return Arrays.copyOf(key, random.nextInt(key.length + 2));
  }

  private static void compare(
      VisibleRows rows, NavigableMap<byte[], OpenRow> expected, Scan scan, int most) {
    byte[] stop = scan.stop();
    NavigableMap<byte[], OpenRow> range =
        stop == null
            ? expected.tailMap(scan.start(), true)
            : expected.subMap(scan.start(), true, stop, false);
    assertThat(rows.rows(scan, most))
        .containsExactlyElementsOf(range.values().stream().limit(most).toList());
  }

  /** A reader that begins after a row was shown finds it, whatever others show and hide then. */
  @Test
  void aRowThatWasShownIsFoundWhileOthersComeAndGo() throws InterruptedException {
    Schema schema = Schema.DEFAULT;
    RowKey keys = new RowKey(schema);
    VisibleRows rows = new VisibleRows(schema);
    AtomicInteger shown = new AtomicInteger();
    List<String> missing = new ArrayList<>();
    CountDownLatch ended = new CountDownLatch(1);
    Thread writer =
        new Thread(
            () -> {
              List<OpenRow> passing = new ArrayList<>();
              for (int i = 0; i < 20_000; i++) {
                rows.show(open(key(keys, 1, 1, 2 * i)));
                shown.set(i + 1);
                OpenRow other = open(key(keys, 1, 1 + i % 2, 2 * (i / 2) + 1));
                if (rows.row(other.key()) == null) {
                  rows.show(other);
                  passing.add(other);
                }
                if (passing.size() > 100) {
                  passing.forEach(OpenRow::close);
                  passing.forEach(rows::hide);
                  passing.clear();
                }
              }
              ended.countDown();
            });
    writer.start();
    do {
      int least = shown.get();
      long found =
          rows.rows(Scan.prefix(Arrays.copyOf(key(keys, 1, 1, 0), 7)), Long.MAX_VALUE).stream()
              .filter(row -> row.key()[12] % 2 == 0)
              .count();
      if (found < least) {
        missing.add(found + " of " + least);
      }
    } while (ended.getCount() > 0);
    writer.join();
    assertThat(missing).isEmpty();
    assertThat(rows.rows(Scan.all(), Long.MAX_VALUE)).hasSizeGreaterThanOrEqualTo(20_000);
  }
}
