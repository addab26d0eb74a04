package org.hourstone.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HeapRoomTest {
  @Test
  void itIsWhatTheProcessLeavesAndAtLeastHalf() {
    assertThat(HeapRoom.of(1024L << 20)).isEqualTo(992L << 20);
    assertThat(HeapRoom.of(64L << 20)).isEqualTo(32L << 20);
    assertThat(HeapRoom.of(32L << 20)).isEqualTo(16L << 20);
  }
}
