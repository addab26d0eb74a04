package org.hourstone.head;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.Schema;
import org.hourstone.codec.Value;
import org.junit.jupiter.api.Test;

class RecordTest {
  private static final HexFormat HEX = HexFormat.of().withUpperCase();
  private static final byte[] KEY = HEX.parseHex("00000152FE2160000001000001");

  /** The entries of a record as text. */
  private static List<String> read(byte[] record) {
    List<String> entries = new ArrayList<>();
    RecordReader.read(
        record,
        new RecordReader.Visitor() {
          @Override
          public void sealed(long row) {
            entries.add("sealed " + row);
          }

          @Override
          public void opened(long row, byte[] key) {
            entries.add("opened " + row + " " + HEX.formatHex(key));
          }

          @Override
          public void points(long row, byte[] source, int from, int count) {
            entries.add("points " + row + " " + HEX.formatHex(source, from, from + count));
          }
        });
    return entries;
  }

  private static OpenRow row(long number) {
    return new OpenRow(KEY, 1_392_386_400, number, 0, null, null);
  }

  /** That of docs/format/journal.md. */
  @Test
  void theDocumentedExampleIsWrittenAndRead() {
    RecordWriter writer = new RecordWriter();
    OpenRow row = row(1);
    OpenRow next = row(2);
    writer.open(row);
    writer.add(row, 5_000, false, Value.flagsOf(42), 42);
    writer.add(next, 5_000, false, Value.flagsOf(7), 7);

    byte[] record = writer.build();

    assertThat(HEX.formatHex(record))
        .isEqualTo("02" + "090D" + HEX.formatHex(KEY) + "0400502A" + "0307");
    assertThat(read(record))
        .containsExactly(
            "opened 1 00000152FE2160000001000001", "points 1 00502A", "points 2 005007");
  }

  /** Those of version 1, which a database may have left. */
  @Test
  void recordsOfTheFirstVersionAreRead() {
    String key = HEX.formatHex(KEY);

    assertThat(read(HEX.parseHex("01" + "01" + "01" + "0D" + key + "06" + "00502A" + "00F007")))
        .containsExactly("opened 1 " + key, "points 1 00502A00F007");
    assertThat(
            read(
                HEX.parseHex(
                    "01"
                        + "AB02"
                        + "02"
                        + "040C"
                        + "F000004F3FE0000000000000"
                        + "958211"
                        + "0D"
                        + key
                        + "03"
                        + "0020FF"
                        + "0403"
                        + "002001")))
        .containsExactly(
            "sealed 299",
            "points 300 F000004F3FE0000000000000",
            "opened 70000 " + key,
            "points 70000 0020FF",
            "points 300 002001");
  }

  @Test
  void pointsOfSeveralRowsKeepTheirOrderAndRowsTheirNumbers() {
    RecordWriter writer = new RecordWriter();
    OpenRow old = row(300);
    OpenRow fresh = row(70_000);
    writer.add(old, 1, true, Value.DOUBLE_FLAGS, Value.rawOf(0.5));
    writer.open(fresh);
    writer.add(fresh, 2_000, false, Value.flagsOf(-1), -1);
    writer.add(old, 2_000, false, Value.flagsOf(1), 1);
    writer.add(old, 2_000, true, Value.flagsOf(1), 1);
    writer.add(old, 2_000, false, Value.flagsOf(300), 300);
    writer.addSealed(299);

    assertThat(read(writer.build()))
        .containsExactly(
            "points 300 F000004F3FE0000000000000",
            "opened 70000 " + HEX.formatHex(KEY),
            "points 70000 0020FF",
            "points 300 002001",
            "points 300 F001F40001",
            "points 300 0021012C",
            "sealed 299");
  }

  @Test
  void rowsGetThePointsThatTheirRecordHas() {
    RecordWriter writer = new RecordWriter();
    Random random = new Random(5);
    OpenRow[] rows = new OpenRow[5];
    Arrays.setAll(rows, i -> row(random.nextInt(100_000)));
    for (int records = 0; records < 20; records++) {
      writer.clear();
      for (int i = 0; i < 100; i++) {
        long value = random.nextLong() >> random.nextInt(64);
        boolean millis = random.nextInt(4) == 0;
        int offset = random.nextInt(3) * 1000;
        OpenRow row = rows[random.nextInt(rows.length)];
        if (random.nextBoolean()) {
          writer.add(row, offset, millis, Value.flagsOf(value), value);
        } else {
          writer.add(row, offset, millis, Value.FLOAT_FLAGS, Value.rawOf((float) value));
        }
      }
      List<String> before = contents(rows);
      long more = writer.apply(0);
      List<String> entries = read(writer.build());

      long memory = 0;
      for (int i = 0; i < rows.length; i++) {
        StringBuilder expected = new StringBuilder(before.get(i));
        String prefix = "points " + rows[i].number() + " ";
        entries.stream()
            .filter(entry -> entry.startsWith(prefix))
            .forEach(entry -> expected.append(entry.substring(prefix.length())));
        assertThat(contents(rows).get(i)).isEqualTo(expected.toString());
        memory += rows[i].memory();
      }
      assertThat(more).isNotNegative().isLessThanOrEqualTo(memory);
    }
  }

  private static List<String> contents(OpenRow[] rows) {
    List<String> contents = new ArrayList<>();
    for (OpenRow row : rows) {
      OpenPoints points = Objects.requireNonNull(row.openPoints());
      contents.add(HEX.formatHex(points.bytes(), 0, points.length()));
    }
    return contents;
  }

  @Test
  void aRowHasRoomForThePointsOfTheOneBefore() {
    OpenRow before = row(1);
    int grown = before.append(new byte[400], 0, 400);
    assertThat(grown).isPositive();

    OpenRow next = new OpenRow(KEY, 1_392_386_400, 2, 0, before, null);

    assertThat(next.append(new byte[400], 0, 400)).isZero();
  }

  @Test
  void aWriterIsUsedAgain() {
    RecordWriter writer = new RecordWriter();
    writer.open(row(9));
    writer.addSealed(1);
    writer.clear();
    assertThat(writer.isEmpty()).isTrue();

    writer.addSealed(1L << 40);

    assertThat(read(writer.build())).containsExactly("sealed " + (1L << 40));
  }

  @Test
  void whateverIsNotARecordIsRefusedClearly() {
    RecordWriter writer = new RecordWriter();
    OpenRow row = row(1L << 50);
    writer.open(row);
    int opened = writer.bytes();
    writer.add(row, 5, true, Value.DOUBLE_FLAGS, Value.rawOf(1.5));
    byte[] record = writer.build();
    Random random = new Random(1);

    for (int length = 0; length < record.length; length++) {
      byte[] cut = Arrays.copyOf(record, length);
      if (length != 1 && length != opened) { // else it ends with an entry
        assertThatExceptionOfType(CorruptDataException.class).isThrownBy(() -> read(cut));
      }
    }
    for (int i = 0; i < 10_000; i++) {
      byte[] noise = new byte[1 + random.nextInt(30)];
      random.nextBytes(noise);
      noise[0] = (byte) (1 + i % RecordWriter.VERSION);
      try {
        read(noise);
      } catch (CorruptDataException e) {
        assertThat(e).hasMessageNotContaining("\n");
      }
    }
  }

  /** Else the points that the first row had would be lost without an error. */
  @Test
  void aRowThatIsOpenedTwiceIsReported() {
    RecordWriter writer = new RecordWriter();
    OpenRow row = row(1);
    writer.open(row);
    writer.add(row, 5_000, false, Value.flagsOf(42), 42);
    byte[] record = writer.build();
    Replay replay =
        new Replay(new RowKey(Schema.DEFAULT), InstantSource.system(), 0, Long.MAX_VALUE);
    replay.read(1, 0, record);

    assertThatExceptionOfType(CorruptDataException.class)
        .isThrownBy(() -> replay.read(2, 0, record))
        .withMessage("the journal opens row 1 twice; the second time in record 2");
  }
}
