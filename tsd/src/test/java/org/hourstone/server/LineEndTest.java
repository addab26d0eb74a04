package org.hourstone.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LineEndTest {
  @Test
  void isWhereTheNextLineFeedIs() {
    byte[] bytes = {'\n', 0, 11, 9, -118, -1, 'a', 1};
    Random random = new Random(1);
    for (int i = 0; i < 20_000; i++) {
      byte[] text = new byte[random.nextInt(40)];
      Arrays.fill(text, bytes[1 + random.nextInt(bytes.length - 1)]);
      for (int changes = random.nextInt(6); changes > 0 && text.length > 0; changes--) {
        text[random.nextInt(text.length)] = bytes[random.nextInt(bytes.length)];
      }
      int from = random.nextInt(text.length + 1);
      assertThat(LineEnd.of(text, from)).isEqualTo(expected(text, from));
    }
  }

  private static int expected(byte[] text, int from) {
    for (int at = from; at < text.length; at++) {
      if (text[at] == '\n') {
        return at;
      }
    }
    return text.length;
  }
}
