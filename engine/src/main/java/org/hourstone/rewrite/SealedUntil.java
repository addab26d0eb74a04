package org.hourstone.rewrite;

import java.time.Duration;
import java.time.InstantSource;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongPredicate;
import java.util.function.Supplier;

/**
 * A time up to which all points are in the data table that are acknowledged by a journal on a
 * shared store: all cells that are written from journals are dated later. It only advances, so what
 * was known once stays true.
 *
 * <p>Cells that were read <em>after</em> this was known may be replaced by cells dated up to it.
 * What a writer has sealed by then was read with them. What it seals later is dated after the new
 * cells, as it is dated after those that they replace. Thread-safe.
 */
public final class SealedUntil {
  /** By how much the clocks of a store's servers may differ. */
  private static final Duration CLOCKS_DIFFER = Duration.ofSeconds(60);

  private final Supplier<OptionalLong> journals;
  private final InstantSource clock;
  private final AtomicLong known;
  private final LongAdder left = new LongAdder();
  private volatile boolean hasJournals;

  private SealedUntil(Supplier<OptionalLong> journals, InstantSource clock, long known) {
    this.journals = journals;
    this.clock = clock;
    this.known = new AtomicLong(known);
  }

  /**
   * Of a shared store.
   *
   * @param journals reads the time up to which each journal is sealed; empty if there never was a
   *     journal. One that begins later has only points that are dated after its beginning
   */
  public static SealedUntil of(Supplier<OptionalLong> journals, InstantSource clock) {
    return new SealedUntil(journals, clock, Long.MIN_VALUE);
  }

  /** Of a store without journals of which this process does not know. */
  public static SealedUntil always() {
    return new SealedUntil(OptionalLong::empty, InstantSource.system(), Long.MAX_VALUE);
  }

  /** Whether it is so of any time. */
  boolean isAlways() {
    return known() == Long.MAX_VALUE;
  }

  /** What is known of it, without reading. */
  long known() {
    return known.get();
  }

  /**
   * Reads it, unless enough is known.
   *
   * @param wanted an earlier time is of no use
   * @param isPast whether every later write of the store is dated after a time
   * @return what is known then; before the wanted time also if that is not past
   */
  long read(long wanted, LongPredicate isPast) {
    if (wanted <= known()) {
      return known();
    }
    long recent = clock.millis() - CLOCKS_DIFFER.toMillis();
    long past = recent > wanted && isPast.test(recent) ? recent : wanted;
    if (past == wanted && !isPast.test(wanted)) {
      return known();
    }
    // In this order: a journal that is not there yet begins after the time that is past.
    OptionalLong sealed = journals.get();
    if (sealed.isPresent()) {
      hasJournals = true;
    }
    return known.accumulateAndGet(Math.min(past, sealed.orElse(Long.MAX_VALUE)), Math::max);
  }

  /** Whether there was a journal when this was read last. */
  boolean hasJournals() {
    return hasJournals;
  }

  /** A row is left for later. */
  void leave() {
    left.increment();
  }

  /** How often a row was left for later. */
  long left() {
    return left.sum();
  }
}
