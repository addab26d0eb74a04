package org.hourstone.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ByteSearchTest {
  private static final byte[] BYTES = {'\n', 0, 11, 9, -118, -1, 'a', 1, '"', '\\', ' ', 31, 127};

  @Test
  void findsTheFirstPlaceOfAByte() {
    Random random = new Random(1);
    for (int i = 0; i < 20_000; i++) {
      byte[] text = text(random);
      int to = random.nextInt(text.length + 1);
      int from = random.nextInt(to + 1);
      char wanted = (char) Math.max(0, BYTES[random.nextInt(BYTES.length)]);

      int expected = from;
      while (expected < to && text[expected] != wanted) {
        expected++;
      }
      assertThat(ByteSearch.indexOf(text, from, to, wanted)).isEqualTo(expected);
    }
  }

  @Test
  void findsWherePlainTextEnds() {
    Random random = new Random(2);
    for (int i = 0; i < 20_000; i++) {
      byte[] text = text(random);
      int to = random.nextInt(text.length + 1);
      int from = random.nextInt(to + 1);

      int expected = from;
      while (expected < to
          && text[expected] >= ' '
          && text[expected] != '"'
          && text[expected] != '\\') {
        expected++;
      }
      assertThat(ByteSearch.endOfPlain(text, from, to, '"', '\\')).isEqualTo(expected);
    }
  }

  /** A text of few different bytes, so that words have none, one or several of those wanted. */
  private static byte[] text(Random random) {
    byte[] text = new byte[random.nextInt(40)];
    Arrays.fill(text, (byte) 'a');
    for (int changes = random.nextInt(6); changes > 0 && text.length > 0; changes--) {
      text[random.nextInt(text.length)] = BYTES[random.nextInt(BYTES.length)];
    }
    return text;
  }
}
