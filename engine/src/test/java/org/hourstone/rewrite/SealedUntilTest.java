package org.hourstone.rewrite;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.InstantSource;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class SealedUntilTest {
  private static final long NOW = 1_000_000;

  private final AtomicInteger reads = new AtomicInteger();
  private OptionalLong journals = OptionalLong.empty();
  private final SealedUntil sealed =
      SealedUntil.of(
          () -> {
            reads.incrementAndGet();
            return journals;
          },
          InstantSource.fixed(Instant.ofEpochMilli(NOW)));

  @Test
  void withoutJournalsItIsWhatIsPastOnAllServers() {
    assertThat(sealed.read(10, time -> time < NOW)).isEqualTo(NOW - 60_000);
    assertThat(sealed.hasJournals()).isFalse();
  }

  @Test
  void aTimeThatIsWantedIsEnoughIfNoLaterOneIsKnownToBePast() {
    assertThat(sealed.read(10, time -> time <= 10)).isEqualTo(10);
  }

  /** A journal that begins right after the reading may have points of that time. */
  @Test
  void aTimeThatIsNotPastIsNotRead() {
    journals = OptionalLong.of(Long.MAX_VALUE);

    assertThat(sealed.read(10, time -> false)).isLessThan(10);
    assertThat(reads).hasValue(0);
  }

  @Test
  void aJournalBoundsIt() {
    journals = OptionalLong.of(5);

    assertThat(sealed.read(10, time -> true)).isEqualTo(5);
    assertThat(sealed.hasJournals()).isTrue();
  }

  @Test
  void whatIsKnownIsNotReadAgain() {
    long first = sealed.read(10, time -> true);
    journals = OptionalLong.of(5);

    assertThat(sealed.read(first, time -> true)).isEqualTo(first);
    assertThat(reads).hasValue(1);
    assertThat(sealed.read(first + 1, time -> true)).as("it only advances").isEqualTo(first);
  }

  @Test
  void aStoreOfOneProcessIsNotRead() {
    assertThat(SealedUntil.always().read(Long.MAX_VALUE, time -> false)).isEqualTo(Long.MAX_VALUE);
  }
}
