package org.hourstone.codec;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.Arrays;

/**
 * Any bytes are either refused as a series' row, or parsed and assembled again. An input is a byte
 * that chooses widths and salt, then the row key.
 */
class RowKeyFuzzTest {
  private static final Schema[] SCHEMAS = {
    Schema.DEFAULT, new Schema(3, 3, 3, 1, 20, 8), new Schema(1, 2, 4, 2, 600, 8)
  };

  @FuzzTest(maxExecutions = 200_000)
  void keysAreParsedAndAssembled(byte[] input) {
    if (input.length == 0) {
      return;
    }
    RowKey keys = new RowKey(SCHEMAS[(input[0] & 0xFF) % SCHEMAS.length]);
    byte[] row = Arrays.copyOfRange(input, 1, input.length);
    if (!keys.isSeriesRow(row)) {
      return;
    }
    byte[] tsuid = keys.tsuid(row);
    byte[] again = keys.rowKey(tsuid, keys.baseTime(row));
    int salt = keys.schema().saltWidth();
    assertThat(Arrays.copyOfRange(again, salt, again.length))
        .isEqualTo(Arrays.copyOfRange(row, salt, row.length));
    for (TagPair tag : keys.tagsOfTsuid(tsuid)) {
      assertThat(tag.tagk()).hasSize(keys.schema().tagkWidth());
      assertThat(tag.tagv()).hasSize(keys.schema().tagvWidth());
    }
  }
}
