package org.hourstone.codec.coded;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import org.hourstone.codec.CompactedCell;

/** Whatever bytes are stored. */
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

  static void assertIsWhatItWas(CompactedCell cell) {
    byte[] coded = CodedPoints.encode(cell.qualifier(), cell.value());

    CompactedCell decoded = CodedPoints.decode(coded, 0, coded.length);

    assertThat(decoded.qualifier()).isEqualTo(cell.qualifier());
    assertThat(decoded.value()).isEqualTo(cell.value());
  }
}
