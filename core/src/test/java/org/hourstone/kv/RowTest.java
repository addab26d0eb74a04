package org.hourstone.kv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
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
}
