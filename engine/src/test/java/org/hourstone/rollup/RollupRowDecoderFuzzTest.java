package org.hourstone.rollup;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.ByteBuffer;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.codec.DuplicatePolicy;

/**
 * Whatever cells a row has, decoding it ends in values or in a CorruptDataException.
 *
 * <p>An input is a byte of settings, then per cell: length of the qualifier, length of the value,
 * write time (a byte each), qualifier, value.
 */
class RollupRowDecoderFuzzTest {
  private static final RollupConfig CONFIG = RollupConfig.of(RollupConfigTest.SETTING);

  @FuzzTest(maxExecutions = 200_000)
  void cellsAreDecodedOrNamedAsCorrupt(byte[] input) {
    ByteBuffer in = ByteBuffer.wrap(input);
    int settings = in.hasRemaining() ? in.get() & 0xFF : 0;
    DuplicatePolicy[] policies = DuplicatePolicy.values();
    RollupRowDecoder decoder =
        new RollupRowDecoder(CONFIG, "sum", policies[settings % policies.length]);
    RollupPoints points = new RollupPoints();
    try {
      decoder.start();
      while (in.remaining() > 3) {
        int qualifierLength = in.get() & 0xFF;
        int valueLength = in.get() & 0xFF;
        int writeTime = in.get();
        decoder.add(bytes(in, qualifierLength), bytes(in, valueLength), writeTime);
      }
      decoder.finish(points);
    } catch (CorruptDataException e) {
      assertThat(e).hasMessageMatching("(?s).{10,}");
      return;
    }
    for (int i = 1; i < points.size(); i++) {
      assertThat(points.index(i)).isGreaterThan(points.index(i - 1));
    }
  }

  private static byte[] bytes(ByteBuffer in, int length) {
    byte[] bytes = new byte[Math.min(length, in.remaining())];
    in.get(bytes);
    return bytes;
  }
}
