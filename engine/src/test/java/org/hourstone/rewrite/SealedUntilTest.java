package org.hourstone.rewrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.hourstone.testkit.ManualClock;
import org.junit.jupiter.api.Test;

final class SealedUntilTest {
  private static final long NOW = 1_000_000;

  private final ManualClock clock = new ManualClock(Instant.ofEpochMilli(NOW));
  private final AtomicInteger reads = new AtomicInteger();
  private OptionalLong journals = OptionalLong.empty();
  private final SealedUntil sealed =
      SealedUntil.of(
          () -> {
            reads.incrementAndGet();
            return journals;
          },
          clock);

  @Test
  void withoutJournalsItIsWhatIsPastOnAllServers() {
    assertThat(sealed.read(10, time -> time < NOW, false)).isEqualTo(NOW - 120_000);
    assertThat(sealed.hasJournals()).isFalse();
  }

  @Test
  void aTimeThatIsWantedIsEnoughIfNoLaterOneIsKnownToBePast() {
    assertThat(sealed.read(10, time -> time <= 10, false)).isEqualTo(10);
  }

  /** A journal that begins right after the reading may have points of that time. */
  @Test
  void aTimeThatIsNotPastIsNotRead() {
    journals = OptionalLong.of(Long.MAX_VALUE);

    assertThat(sealed.read(10, time -> false, false)).isLessThan(10);
    assertThat(reads).hasValue(0);
  }

  @Test
  void aJournalBoundsIt() {
    journals = OptionalLong.of(5);

    assertThat(sealed.read(10, time -> true, false)).isEqualTo(5);
    assertThat(sealed.hasJournals()).isTrue();
  }

  @Test
  void whatIsKnownIsNotReadAgain() {
    long first = sealed.read(10, time -> true, false);
    journals = OptionalLong.of(5);

    assertThat(sealed.read(first, time -> true, false)).isEqualTo(first);
    assertThat(reads).hasValue(1);
    assertThat(sealed.read(first + 1, time -> true, false)).as("it only advances").isEqualTo(first);
  }

  @Test
  void journalsThatAreNotSealedYetAreReadAgainAfterAWhile() {
    journals = OptionalLong.of(5);
    for (int wanted = 10; wanted < 1000; wanted++) {
      assertThat(sealed.read(wanted, time -> true, false)).isEqualTo(5);
    }
    assertThat(reads).hasValue(1);
    journals = OptionalLong.of(2000);
    assertThat(sealed.read(10, time -> true, false)).isEqualTo(5);

    clock.advance(Duration.ofSeconds(10));
    assertThat(sealed.read(10, time -> true, false)).isEqualTo(2000);
    assertThat(sealed.read(3000, time -> true, false)).as("that was not in vain").isEqualTo(2000);
    assertThat(reads).hasValue(3);
  }

  @Test
  void aReadingThatHasNotEndedIsNotInVain() {
    AtomicReference<Runnable> concurrently = new AtomicReference<>();
    SealedUntil slow =
        SealedUntil.of(
            () -> {
              Runnable other = concurrently.getAndSet(null);
              if (other != null) {
                other.run();
              }
              return journals;
            },
            clock);
    concurrently.set(() -> assertThat(slow.read(20, time -> time <= 20, false)).isEqualTo(20));

    assertThat(slow.read(10, time -> time <= 10, false)).isEqualTo(20);
  }

  @Test
  void aReadingThatFailsIsInVain() {
    SealedUntil failing =
        SealedUntil.of(
            () -> {
              reads.incrementAndGet();
              throw new IllegalStateException("the store fails");
            },
            clock);
    assertThatThrownBy(() -> failing.read(10, time -> true, false)).hasMessage("the store fails");
    assertThat(failing.read(10, time -> true, false)).isLessThan(10);
    assertThat(reads).hasValue(1);
  }

  @Test
  void aClockThatIsSetBackDoesNotKeepJournalsFromBeingRead() {
    journals = OptionalLong.of(5);
    sealed.read(10, time -> true, false);
    clock.advance(Duration.ofSeconds(-5));
    sealed.read(10, time -> true, false);

    assertThat(reads).hasValue(2);
  }

  @Test
  void onlyWhatAJournalKeepsIsCounted() {
    sealed.read(10, time -> false, false);
    sealed.leave();
    assertThat(sealed.left()).isZero();
    journals = OptionalLong.of(5);
    sealed.read(10, time -> true, false);
    sealed.leave();
    assertThat(sealed.left()).isOne();
  }

  @Test
  void aStoreOfOneProcessIsNotRead() {
    assertThat(SealedUntil.always().read(Long.MAX_VALUE, time -> false, false))
        .isEqualTo(Long.MAX_VALUE);
  }

  /** A journal that begins later may have points of that time, which is ahead of the store's. */
  @Test
  void whatIsReadAlthoughItIsNotPastIsNotKnownLater() {
    assertThat(sealed.read(NOW + 1000, time -> false, true)).isEqualTo(NOW + 1000);
    journals = OptionalLong.of(5);

    assertThat(sealed.known()).isLessThan(0);
    assertThat(sealed.read(NOW + 500, time -> false, true)).isEqualTo(5);
  }
}
