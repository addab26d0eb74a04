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
  static final Duration CLOCKS_DIFFER = Duration.ofSeconds(60);

  /** How soon journals are read again which were not sealed until a time that was wanted. */
  static final Duration READ_AGAIN = Duration.ofSeconds(10);

  private static final long NEVER = Long.MIN_VALUE;

  private final Supplier<OptionalLong> journals;
  private final InstantSource clock;
  private final AtomicLong known;
  private final LongAdder left = new LongAdder();
  private volatile boolean hasJournals;

  /** When journals were read in vain; {@link #NEVER} if they were not since. */
  private volatile long vainlyRead = NEVER;

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
   * Reads it, unless enough is known, or journals were read in vain a moment ago: what is known is
   * true then, too, though it may be more soon.
   *
   * @param wanted an earlier time is of no use
   * @param isPast whether every later write of the store is dated after a time, whichever of its
   *     servers dates it
   * @param evenIfNot whether the wanted time need not be past: the result counts for this row only
   * @return what is known then; before the wanted time also if that is not past
   * @throws org.hourstone.kv.StoreException if journals can't be read
   */
  long read(long wanted, LongPredicate isPast, boolean evenIfNot) {
    if (wanted <= known() || wasVainlyRead()) {
      return known();
    }
    // What our clock and all of the store's are beyond, so that few rows need a reading.
    long recent = clock.millis() - 2 * CLOCKS_DIFFER.toMillis();
    long past = recent > wanted && isPast.test(recent) ? recent : wanted;
    boolean isKnown = past != wanted || isPast.test(wanted);
    if (!isKnown && !evenIfNot) {
      return known();
    }
    boolean isVain = true;
    try {
      // In this order: a journal that is not there yet begins after the time that is past.
      OptionalLong sealed = journals.get();
      if (sealed.isPresent()) {
        hasJournals = true;
      }
      long until = Math.min(past, sealed.orElse(Long.MAX_VALUE));
      long now = isKnown ? known.accumulateAndGet(until, Math::max) : Math.max(known(), until);
      isVain = now < wanted;
      return now;
    } finally {
      vainlyRead = isVain ? clock.millis() : NEVER;
    }
  }

  private boolean wasVainlyRead() {
    long read = vainlyRead;
    long age = clock.millis() - read;
    return read != NEVER && age >= 0 && age < READ_AGAIN.toMillis();
  }

  /** Whether there was a journal when this was read last. */
  boolean hasJournals() {
    return hasJournals;
  }

  /** A row is left for later; it counts if that is because of a journal. */
  void leave() {
    if (wasVainlyRead()) {
      left.increment();
    }
  }

  /** How often a row was left for later because of a journal. */
  long left() {
    return left.sum();
  }
}
