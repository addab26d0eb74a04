package org.hourstone.kv;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RowTest {
  private static final byte[] KEY = {0, (byte) 0xAB};

  private static Row row(int cells, int valueLength) {
    byte[][] qualifiers = new byte[cells][];
    byte[][] values = new byte[cells][valueLength];
    long[] times = new long[cells];
    for (int i = 0; i < cells; i++) {
      qualifiers[i] = new byte[] {(byte) i};
      times[i] = 1_000L + i;
    }
    return Row.of(KEY, qualifiers, values, times);
  }

  @Test
  void aRowIsShownWithItsKeyAndItsCells() {
    assertThat(Row.empty(KEY)).hasToString("00ab{}");
    assertThat(row(2, 1)).hasToString("00ab{00=00@1000, 01=00@1001}");
    assertThat(Row.of(KEY, new byte[][] {{}}, new byte[][] {{}}, new long[] {7}))
        .hasToString("00ab{=@7}");
  }

  @Test
  void longValuesAndRowsAreShownShortened() {
    assertThat(row(1, 32).toString()).isEqualTo("00ab{00=" + "00".repeat(32) + "@1000}");
    assertThat(row(1, 1_000_000).toString())
        .isEqualTo("00ab{00=" + "00".repeat(32) + "…(1000000 bytes)@1000}");
    assertThat(row(20, 0).toString()).endsWith("13=@1019}");
    assertThat(row(21, 0).toString()).endsWith("13=@1019, … 21 cells}");
  }

  @Test
  void onlyKeepsTheCellsOfTheseIndexes() {
    Row row = row(5, 1);

    assertThat(row.only(List.of(1, 3))).hasToString("00ab{01=00@1001, 03=00@1003}");
    assertThat(row.only(List.of()).isEmpty()).isTrue();
    assertThat(row.only(List.of()).key()).isEqualTo(KEY);
    assertThatThrownBy(() -> row.only(List.of(3, 1))).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> row.only(List.of(5))).isInstanceOf(IndexOutOfBoundsException.class);
  }

  /** A coded cell, and how often it was decoded. */
  private static final class Coded implements CodedCell {
    private int decoded;

    @Override
    public String codec() {
      return "reverse-1";
    }

    @Override
    public byte[] bytes() {
      return new byte[] {9};
    }

    @Override
    public byte[] start() {
      return new byte[] {5, 0};
    }

    @Override
    public FamilyCodec.Decoded decode() {
      decoded++;
      return new FamilyCodec.Decoded(new byte[] {5}, new byte[] {6});
    }
  }

  @Test
  void aCodedCellIsDecodedOnceWhenItsBytesAreAskedFor() {
    Coded cell = new Coded();
    Row row = Row.ofCoded(KEY, cell, 1_000);

    assertThat(row.size()).isEqualTo(1);
    assertThat(row.isEmpty()).isFalse();
    assertThat(row.writeTime(0)).isEqualTo(1_000);
    assertThat(row.coded()).isSameAs(cell);
    assertThat(cell.decoded).isZero();

    assertThat(row.qualifier(0)).containsExactly(5);
    assertThat(row.value(0)).containsExactly(6);
    assertThat(row.indexOf(new byte[] {5})).isZero();
    assertThat(row.find(new byte[] {4})).isNull();
    assertThat(row.find(new byte[] {5})).containsExactly(6);
    assertThat(row.only(List.of(0))).isSameAs(row);
    assertThat(row).hasToString("00ab{05=06@1000}");
    assertThat(cell.decoded).isEqualTo(1);
    assertThatThrownBy(() -> row.qualifier(1)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> row.value(-1)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void cellsThatAreCodedTogetherAreDecodedOnceWhenTheyAreAskedFor() {
    Row decoded = Row.of(KEY, new byte[][] {{5}}, new byte[][] {{6}}, new long[] {1_000});
    List<CodedRow.Form> forms = List.of(new CodedRow.Form(new byte[] {9}, 0, 1, 1_000));
    AtomicInteger count = new AtomicInteger();
    Row row =
        Row.ofCoded(
            KEY,
            new CodedRow() {
              @Override
              public String codec() {
                return "reverse-2";
              }

              @Override
              public List<Form> forms() {
                return forms;
              }

              @Override
              public Row decode() {
                count.incrementAndGet();
                return decoded;
              }
            });

    assertThat(row.isEmpty()).isFalse();
    assertThat(requireNonNull(row.codedRow()).forms()).isSameAs(forms);
    assertThat(row.coded()).isNull();
    assertThat(count).hasValue(0);
    assertThat(row.size()).isEqualTo(1);
    assertThat(row.find(new byte[] {5})).containsExactly(6);
    assertThat(row).hasToString(decoded.toString());
    assertThat(row.cell(0)).usingRecursiveComparison().isEqualTo(decoded.cell(0));
    assertThat(count).hasValue(1);
    assertThat(decoded.codedRow()).isNull();
  }
}
