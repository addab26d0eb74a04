package org.hourstone.kv.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.hourstone.kv.Change;
import org.hourstone.kv.rocksdb.StampedValue.Malformed;
import org.junit.jupiter.api.Test;

class StampedValueTest {
  private static final long SEED = 20261121;
  private static final long EPOCH = 1_795_000_000_000L;

  private final Random random = new Random(SEED);

  @Test
  void aPutIsReadBack() throws Malformed {
    for (int i = 0; i < 20_000; i++) {
      byte[] payload = anyBytes(random.nextInt(40));
      long epoch = anyTime();
      long time = anyTime();

      byte[] stored = base(payload, time, epoch);

      assertThat(StampedValue.payload(stored, stored.length))
          .as("seed %d", SEED)
          .isEqualTo(payload);
      assertThat(StampedValue.writeTime(stored, stored.length, epoch))
          .as("seed %d: time %d, epoch %d", SEED, time, epoch)
          .isEqualTo(time);
    }
  }

  @Test
  void appendsAreReadBackInOrderWithTheLatestOfTheirTimes() throws Malformed {
    for (int i = 0; i < 5_000; i++) {
      ByteArrayOutputStream stored = new ByteArrayOutputStream();
      ByteArrayOutputStream expected = new ByteArrayOutputStream();
      long epoch = anyTime();
      long time = 0;
      if (random.nextBoolean()) {
        byte[] payload = anyBytes(random.nextInt(20));
        time = anyTime();
        stored.writeBytes(base(payload, time, epoch));
        expected.writeBytes(payload);
      }
      int appends = random.nextInt(6) + (stored.size() == 0 ? 1 : 0);
      for (int k = 0; k < appends; k++) {
        byte[] payload = anyBytes(1 + random.nextInt(random.nextInt(10) == 0 ? 20_000 : 30));
        long added = anyTime();
        time = Math.max(time, added);
        stored.writeBytes(append(payload, added, epoch));
        expected.writeBytes(payload);
      }
      byte[] roomy = Arrays.copyOf(stored.toByteArray(), stored.size() + 5);

      assertThat(StampedValue.payload(roomy, stored.size()))
          .as("seed %d", SEED)
          .isEqualTo(expected.toByteArray());
      assertThat(StampedValue.writeTime(roomy, stored.size(), epoch))
          .as("seed %d", SEED)
          .isEqualTo(time);
    }
  }

  @Test
  void lengthsOfAppendsAreReadBackAroundTheirLimits() throws Malformed {
    for (int length : new int[] {1, 15, 16, 127, 128, 16_383, 16_384, 2_097_151, 2_097_152}) {
      byte[] payload = anyBytes(length);
      byte[] stored = append(payload, EPOCH, EPOCH);
      assertThat(StampedValue.payload(stored, stored.length)).isEqualTo(payload);
    }
  }

  @Test
  void aStampGrowsWithTheDistanceFromTheEpoch() {
    assertThat(stampOfBase(EPOCH)).isEqualTo(1);
    assertThat(stampOfBase(EPOCH + TimeUnit.DAYS.toMillis(3))).isEqualTo(4);
    assertThat(stampOfBase(EPOCH + TimeUnit.DAYS.toMillis(2 * 365))).isEqualTo(5);
    assertThat(stampOfBase(EPOCH + TimeUnit.DAYS.toMillis(3 * 365))).isEqualTo(6);
    assertThat(stampOfBase(Change.MAX_WRITE_TIME)).isEqualTo(6);
    assertThat(stampOfBase(EPOCH - 1)).isEqualTo(6);
    assertThat(stampOfBase(0)).isEqualTo(6);

    assertThat(stampOfAppend(3, EPOCH + TimeUnit.DAYS.toMillis(40))).isEqualTo(5);
    assertThat(stampOfAppend(3, EPOCH + TimeUnit.DAYS.toMillis(30 * 365))).isEqualTo(6);
    assertThat(stampOfAppend(16, EPOCH + TimeUnit.DAYS.toMillis(40))).isEqualTo(6);
    assertThat(stampOfAppend(3, Change.MAX_WRITE_TIME)).isEqualTo(7);
  }

  @Test
  void theBytesAreAsDocumented() {
    byte[] payload = {0x2A};
    assertThat(hex(base(payload, 1000 + 0x12345, 1000))).isEqualTo("2a" + "1234" + "25");
    assertThat(hex(base(payload, 0x12345, 0x12346))).isEqualTo("2a" + "0000001234" + "75");
    assertThat(hex(append(payload, 1000 + 0x12345, 1000))).isEqualTo("2a" + "012345" + "b1");
    assertThat(hex(append(payload, 0x12345, 0x12346))).isEqualTo("2a" + "000000012345" + "f1");
    assertThat(hex(append(new byte[300], 1000, 1000)))
        .isEqualTo("00".repeat(300) + "02" + "ac" + "80");
  }

  @Test
  void bytesThatNoWriteMadeAreRefusedAndNothingWorse() {
    for (int i = 0; i < 200_000; i++) {
      byte[] stored = anyBytes(random.nextInt(24));
      try {
        assertThat(StampedValue.payload(stored, stored.length)).hasSizeLessThan(stored.length);
        assertThat(StampedValue.writeTime(stored, stored.length, EPOCH))
            .isBetween(0L, Change.MAX_WRITE_TIME);
      } catch (Malformed e) {
        assertThat(e).hasMessageMatching("empty|an? .*(segment|stamp).*");
      }
    }
  }

  @Test
  void everyTruncationOfAppendsIsRefusedUnlessItLeavesWholeSegments() throws Malformed {
    byte[] first = append(anyBytes(20), EPOCH + 70_000, EPOCH);
    byte[] second = append(anyBytes(3), EPOCH + 80_000, EPOCH);
    ByteArrayOutputStream both = new ByteArrayOutputStream();
    both.writeBytes(first);
    both.writeBytes(second);
    byte[] stored = both.toByteArray();
    for (int cut = 1; cut < stored.length; cut++) {
      byte[] rest = Arrays.copyOfRange(stored, cut, stored.length);
      if (cut == first.length) {
        assertThat(StampedValue.payload(rest, rest.length)).hasSize(3);
      } else {
        assertThatThrownBy(() -> StampedValue.payload(rest, rest.length))
            .isInstanceOf(Malformed.class);
      }
    }
  }

  @Test
  void aLengthThatNeverEndsIsRefused() {
    byte[] stored = new byte[20];
    Arrays.fill(stored, (byte) 0xFF);
    stored[19] = (byte) 0x80;
    assertThatThrownBy(() -> StampedValue.payload(stored, 20)).isInstanceOf(Malformed.class);
    stored[0] = 1;
    assertThatThrownBy(() -> StampedValue.payload(stored, 20)).isInstanceOf(Malformed.class);
  }

  private static int stampOfBase(long time) {
    return base(new byte[8], time, EPOCH).length - 8;
  }

  private static int stampOfAppend(int length, long time) {
    return append(new byte[length], time, EPOCH).length - length;
  }

  private static byte[] base(byte[] payload, long time, long epoch) {
    byte[] stored = new byte[StampedValue.baseLength(payload.length, time, epoch)];
    assertThat(StampedValue.writeBase(payload, time, epoch, stored, 0)).isEqualTo(stored.length);
    return stored;
  }

  private static byte[] append(byte[] payload, long time, long epoch) {
    byte[] stored = new byte[StampedValue.appendLength(payload.length, time, epoch)];
    assertThat(StampedValue.writeAppend(payload, time, epoch, stored, 0)).isEqualTo(stored.length);
    return stored;
  }

  /** Any time a cell can carry; all magnitudes are as likely. */
  private long anyTime() {
    return random.nextLong() >>> (20 + random.nextInt(44));
  }

  private byte[] anyBytes(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }
}
