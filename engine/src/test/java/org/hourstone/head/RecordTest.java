package org.hourstone.head;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.hourstone.codec.CorruptDataException;
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
    return new OpenRow(KEY, 1_392_386_400, number, 0);
  }

  /** That of docs/format/journal.md. */
  @Test
  void theDocumentedExampleIsWrittenAndRead() {
    RecordWriter writer = new RecordWriter();
    OpenRow row = row(1);
    writer.open(row);
    writer.add(row, 5_000, false, Value.flagsOf(42), 42);
    writer.add(row, 15_000, false, Value.flagsOf(7), 7);

    byte[] record = writer.build();

    assertThat(HEX.formatHex(record))
        .isEqualTo("01" + "01" + "01" + "0D" + HEX.formatHex(KEY) + "06" + "00502A" + "00F007");
    assertThat(read(record))
        .containsExactly("opened 1 00000152FE2160000001000001", "points 1 00502A00F007");
  }

  @Test
  void pointsOfSeveralRowsKeepTheirOrderAndRowsTheirNumbers() {
    RecordWriter writer = new RecordWriter();
    OpenRow old = row(300);
    OpenRow fresh = row(70_000);
    writer.addSealed(299);
    writer.add(old, 1, true, Value.DOUBLE_FLAGS, Value.rawOf(0.5));
    writer.open(fresh);
    writer.add(fresh, 2_000, false, Value.flagsOf(-1), -1);
    writer.add(old, 2_000, false, Value.flagsOf(1), 1);

    assertThat(read(writer.build()))
        .containsExactly(
            "sealed 299",
            "points 300 F000004F3FE0000000000000",
            "opened 70000 " + HEX.formatHex(KEY),
            "points 70000 0020FF",
            "points 300 002001");
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
    writer.add(row, 5, true, Value.DOUBLE_FLAGS, Value.rawOf(1.5));
    byte[] record = writer.build();
    Random random = new Random(1);

    for (int length = 0; length < record.length; length++) {
      byte[] cut = Arrays.copyOf(record, length);
      if (length != record.length && length > 9) {
        assertThatExceptionOfType(CorruptDataException.class).isThrownBy(() -> read(cut));
      }
    }
    for (int i = 0; i < 10_000; i++) {
      byte[] noise = new byte[1 + random.nextInt(30)];
      random.nextBytes(noise);
      noise[0] = RecordWriter.VERSION;
      try {
        read(noise);
      } catch (CorruptDataException e) {
        assertThat(e).hasMessageNotContaining("\n");
      }
    }
  }
}
