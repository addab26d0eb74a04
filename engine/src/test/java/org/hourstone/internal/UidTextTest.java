package org.hourstone.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.hourstone.error.RequestException;
import org.junit.jupiter.api.Test;

class UidTextTest {
  @Test
  void hexIsWrittenInUpperCaseAndReadInEither() {
    assertThat(UidText.format(new byte[] {0, 0, (byte) 0xAB})).isEqualTo("0000AB");
    assertThat(UidText.parse("0000aB")).containsExactly(0, 0, 0xAB);
  }

  @Test
  void anOddNumberOfDigitsGetsOneInFront() {
    assertThat(UidText.parse("abc")).containsExactly(0x0A, 0xBC);
  }

  @Test
  void whatIsNoHexIsRefused() {
    assertThatThrownBy(() -> UidText.parse("zz"))
        .isInstanceOf(RequestException.class)
        .hasMessage("contains illegal character for hexBinary: zz");
  }
}
