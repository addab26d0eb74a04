package org.hourstone.head;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.Schema;
import org.hourstone.codec.Value;
import org.junit.jupiter.api.Test;

/** Records are replayed in parts, so that their rows fit into the memory that there is. */
class ReplayTest {
  private static final RowKey KEYS = new RowKey(Schema.DEFAULT);
  private static final long HOUR = 1_392_386_400;

  private final Random random = new Random(1);
  private final List<byte[]> records = new ArrayList<>();

  /** The number of points of each row that is not sealed. */
  private final Map<Long, Integer> open = new HashMap<>();

  private static OpenRow row(long number) {
    byte[] tsuid = {0, 0, 1, 0, 0, 1, 0, (byte) (number >> 8), (byte) number};
    return new OpenRow(KEYS.rowKey(tsuid, HOUR), HOUR, number, 0, null, null);
  }

  /** Rows are opened out of order, get points in many records, and some are sealed. */
  private void record(int rows) {
    List<Long> toOpen = new ArrayList<>();
    for (long number = 1; number <= rows; number++) {
      toOpen.add(number);
    }
    while (!toOpen.isEmpty()) {
      RecordWriter record = new RecordWriter();
      List<Long> before = new ArrayList<>(open.keySet());
      for (int i = 0; i < 3 && !before.isEmpty(); i++) {
        long sealed = before.remove(random.nextInt(before.size()));
        record.addSealed(sealed);
        open.remove(sealed);
      }
      for (int i = 0; i < 20 && !toOpen.isEmpty(); i++) {
        long number = toOpen.remove(random.nextInt(Math.min(50, toOpen.size())));
        OpenRow row = row(number);
        record.open(row);
        add(record, row);
      }
      for (int i = 0; i < 30 && !before.isEmpty(); i++) {
        add(record, row(before.get(random.nextInt(before.size()))));
      }
      records.add(record.build());
    }
  }

  private void add(RecordWriter record, OpenRow row) {
    int points = open.merge(row.number(), 1, Integer::sum);
    record.add(row, points * 1000, false, Value.flagsOf(points), points);
  }

  private Replay replay(long from, long mostBytes) {
    Replay replay = new Replay(KEYS, InstantSource.system(), from, mostBytes);
    for (int i = 0; i < records.size(); i++) {
      replay.read(i + 1, 0, records.get(i));
    }
    return replay;
  }

  @Test
  void eachRowIsWholeInOneOfTheParts() {
    record(1000);
    Set<Long> replayed = new HashSet<>();
    int parts = 0;
    for (long from = 0; from < Long.MAX_VALUE; parts++) {
      Replay replay = replay(from, 20_000);
      long memory = 0;
      for (OpenRow row : replay.rows()) {
        assertThat(replayed.add(row.number())).as("row %d once", row.number()).isTrue();
        assertThat(row.size()).isEqualTo(open.get(row.number()));
        memory += row.memory();
      }
      assertThat(memory).isLessThanOrEqualTo(20_000);
      from = replay.end();
    }
    assertThat(replayed).isEqualTo(open.keySet());
    assertThat(parts).isBetween(10, 60);
  }

  @Test
  void aRowThatTakesMoreThanThereIsIsAPartOfItsOwn() {
    record(20);
    List<Integer> sizes = new ArrayList<>();
    for (long from = 0; from < Long.MAX_VALUE; ) {
      Replay replay = replay(from, 1);
      sizes.add(replay.rows().size());
      from = replay.end();
    }
    assertThat(sizes).containsOnly(1).hasSize(open.size());
  }

  @Test
  void withEnoughMemoryThereIsOnePart() {
    record(1000);
    Replay replay = replay(0, Long.MAX_VALUE);
    assertThat(replay.rows()).hasSize(open.size());
    assertThat(replay.end()).isEqualTo(Long.MAX_VALUE);
  }

  /** Points whose row is opened by no record must not be lost because they are of another part. */
  @Test
  void aMissingRecordIsFoundByThePartThatLacksIt() {
    record(200);
    records.remove(0);
    assertThatExceptionOfType(CorruptDataException.class)
        .isThrownBy(
            () -> {
              for (long from = 0; from < Long.MAX_VALUE; ) {
                Replay replay = replay(from, 10_000);
                var unused = replay.rows();
                from = replay.end();
              }
            })
        .withMessageContaining("incomplete");
  }
}
