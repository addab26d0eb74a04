package org.hourstone.codec.coded;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.Arrays;
import org.hourstone.codec.CompactedCell;

/** Whatever bytes are stored, and whatever cell is to be. */
class CodedPointsFuzzTest {
  @FuzzTest(maxExecutions = 200_000)
  void bytesAreDecodedOrNamedAsMalformed(byte[] input) {
    CompactedCell decoded;
    try {
      decoded = CodedPoints.decode(input, 0, input.length);
    } catch (IllegalArgumentException e) {
      assertThat(e).hasMessageMatching("(?s).{10,}");
      return;
    }
    assertIsWhatItWas(decoded);
  }

  /** An input is a byte, the length of the qualifier, then qualifier and value. */
  @FuzzTest(maxExecutions = 200_000)
  void everyCellIsWhatItWas(byte[] input) {
    int length = input.length == 0 ? 0 : Math.min(input[0] & 0xFF, input.length - 1);
    int start = Math.min(1, input.length);
    assertIsWhatItWas(
        new CompactedCell(
            Arrays.copyOfRange(input, start, start + length),
            Arrays.copyOfRange(input, start + length, input.length)));
  }

  private static void assertIsWhatItWas(CompactedCell cell) {
    byte[] coded = CodedPoints.encode(cell.qualifier(), cell.value());

    CompactedCell decoded = CodedPoints.decode(coded, 0, coded.length);

    assertThat(decoded.qualifier()).isEqualTo(cell.qualifier());
    assertThat(decoded.value()).isEqualTo(cell.value());
  }
}
