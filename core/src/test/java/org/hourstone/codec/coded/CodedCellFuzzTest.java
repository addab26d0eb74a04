package org.hourstone.codec.coded;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.Arrays;
import org.hourstone.codec.CompactedCell;

/** Whatever cell is to be stored. In a class of its own: a search runs one test of each. */
class CodedCellFuzzTest {
  /** An input is a byte, the length of the qualifier, then qualifier and value. */
  @FuzzTest(maxExecutions = 200_000)
  void everyCellIsWhatItWas(byte[] input) {
    int length = input.length == 0 ? 0 : Math.min(input[0] & 0xFF, input.length - 1);
    int start = Math.min(1, input.length);
    CodedPointsFuzzTest.assertIsWhatItWas(
        new CompactedCell(
            Arrays.copyOfRange(input, start, start + length),
            Arrays.copyOfRange(input, start + length, input.length)));
  }
}
