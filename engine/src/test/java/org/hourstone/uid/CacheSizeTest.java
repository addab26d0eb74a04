package org.hourstone.uid;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CacheSizeTest {
  @Test
  void allKindsTogetherTakeASixteenthOfTheHeapInEachDirection() {
    long bytes = 0;
    for (UidKind kind : UidKind.values()) {
      CacheSize size = CacheSize.of(kind, 0);
      assertThat(size.maximum()).isPositive();
      assertThat(size.weight(1000)).isGreaterThan(1000);
      bytes += size.maximum();
    }
    assertThat(bytes).isLessThanOrEqualTo(Runtime.getRuntime().maxMemory() / 16);
  }

  @Test
  void aNumberOfNamesIsThatNumber() {
    assertThat(CacheSize.of(UidKind.TAGV, 7)).isEqualTo(new CacheSize(7, false));
    assertThat(new CacheSize(7, false).weight(1000)).isEqualTo(1);
  }

  /** Clients choose names, the operator the number of them. */
  @Test
  void aNameThatIsVeryLongCountsAsSeveral() {
    assertThat(new CacheSize(7, false).weight(60_000)).isBetween(50, 60);
  }
}
