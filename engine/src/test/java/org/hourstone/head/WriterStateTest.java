package org.hourstone.head;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import org.hourstone.codec.CorruptDataException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WriterStateTest {
  private static final WriterState STATE =
      WriterState.next(null, 7, 1000, Duration.ofSeconds(5)).renewed(8, 2000);

  @Test
  void aStateIsReadAsItWasWritten() {
    assertThat(WriterState.of(STATE.value())).isEqualTo(STATE);
    assertThat(STATE.lease(Duration.ofSeconds(60))).isEqualTo(Duration.ofSeconds(5));
  }

  @Test
  void aStateOfAnOlderBuildSaysNoLease() {
    byte[] value = STATE.value();
    WriterState older = WriterState.of(Arrays.copyOf(value, value.length - Long.BYTES));

    assertThat(older.time()).isEqualTo(2000);
    assertThat(older.lease(Duration.ofSeconds(60))).isEqualTo(Duration.ofSeconds(60));
    assertThat(older.value()).as("what a change compares").hasSize(value.length - Long.BYTES);
    assertThat(WriterState.of(older.value())).isEqualTo(older);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, Integer.MAX_VALUE * 1000L + 1, Long.MAX_VALUE})
  void aLeaseThatNoSettingHasIsCorrupt(long lease) {
    byte[] value = STATE.value();
    ByteBuffer.wrap(value).putLong(value.length - Long.BYTES, lease);
    assertThatExceptionOfType(CorruptDataException.class)
        .isThrownBy(() -> WriterState.of(value))
        .withMessage("not the state of a writer: a lease of " + lease);
  }

  @Test
  void otherLengthsAreCorrupt() {
    byte[] value = STATE.value();
    for (int length = 0; length <= value.length + 1; length++) {
      if (length != value.length && length != value.length - Long.BYTES) {
        byte[] other = Arrays.copyOf(value, length);
        assertThatExceptionOfType(CorruptDataException.class)
            .isThrownBy(() -> WriterState.of(other))
            .withMessage("not the state of a writer: " + length + " bytes");
      }
    }
  }
}
