package org.hourstone.codec;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.ByteBuffer;

/**
 * Whatever cells a row has, decoding it ends in points or in a {@link CorruptDataException}.
 *
 * <p>An input is a byte of settings, then per cell: length of the qualifier, length of the value,
 * write time (a byte each), qualifier, value.
 */
class RowDecoderFuzzTest {
  private static final int IN_STORED_ORDER = 0x80;

  @FuzzTest(maxExecutions = 200_000)
  void cellsAreDecodedOrNamedAsCorrupt(byte[] input) {
    ByteBuffer in = ByteBuffer.wrap(input);
    int settings = in.hasRemaining() ? in.get() & 0xFF : 0;
    boolean inStoredOrder = (settings & IN_STORED_ORDER) != 0;
    DuplicatePolicy[] policies = DuplicatePolicy.values();
    RowDecoder decoder = new RowDecoder(policies[settings % policies.length], inStoredOrder);
    RowPoints points = new RowPoints();
    try {
      decoder.start();
      while (in.remaining() > 3) {
        int qualifierLength = in.get() & 0xFF;
        int valueLength = in.get() & 0xFF;
        int writeTime = in.get();
        decoder.add(bytes(in, qualifierLength), bytes(in, valueLength), writeTime);
      }
      decoder.finish(points);
      decoder.checkLengths(points);
    } catch (CorruptDataException e) {
      assertThat(e).hasMessageMatching("(?s).{10,}");
      return;
    }
    for (int i = 0; i < points.size(); i++) {
      assertThat(points.offset(i)).isNotNegative();
      assertThat(Qualifier.valueLength(points.flags(i))).isIn(1, 2, 4, 8);
      assertThat(inStoredOrder || i == 0 || points.offset(i - 1) < points.offset(i)).isTrue();
    }
  }

  private static byte[] bytes(ByteBuffer in, int length) {
    byte[] bytes = new byte[Math.min(length, in.remaining())];
    in.get(bytes);
    return bytes;
  }
}
