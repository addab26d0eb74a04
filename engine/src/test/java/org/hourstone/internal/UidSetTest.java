package org.hourstone.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.hourstone.kv.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UidSetTest {
  private static byte[] uid(long number, int width) {
    byte[] wide = ByteBuffer.allocate(Long.BYTES).putLong(number).array();
    return Arrays.copyOfRange(wide, Long.BYTES - width, Long.BYTES);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 8})
  void itHasWhatWasAddedAndNotRemoved(int width) {
    UidSet set = new UidSet();
    Set<Bytes> expected = new HashSet<>();
    Random random = new Random(width);
    long from = random.nextLong();
    for (int i = 0; i < 20_000; i++) {
      byte[] uid = uid(from + random.nextInt(3000), width);
      if (random.nextInt(3) == 0) {
        set.remove(uid);
        expected.remove(new Bytes(uid));
      } else {
        set.add(uid);
        expected.add(new Bytes(uid));
      }
    }
    for (int i = -10; i < 3010; i++) {
      byte[] uid = uid(from + i, width);
      assertThat(set.contains(uid)).isEqualTo(expected.contains(new Bytes(uid)));
    }
    expected.forEach(uid -> set.remove(uid.array()));
    assertThat(set.blocks()).isZero();
  }

  @Test
  void oneIsAPartOfALongerArray() {
    UidSet set = new UidSet();
    set.add(new byte[] {9, 0, 1, 2, 9}, 1, 3);
    assertThat(set.contains(new byte[] {0, 1, 2})).isTrue();
    assertThat(set.contains(new byte[] {0, 1, 3})).isFalse();
  }

  @Test
  void thoseOfACounterTakeLessThanAByteEach() {
    UidSet set = new UidSet();
    for (int i = 1; i <= 1_000_000; i++) {
      set.add(uid(i, 3));
    }
    assertThat(set.blocks() * 170L).isLessThan(1_000_000);
  }
}
