package org.hourstone.write;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The series of texts, by the bytes of metric and tags exactly as they were written. Looking one up
 * allocates nothing. Thread-safe.
 *
 * <p>When it is full, texts that were not used for some minutes make room. While all are in use,
 * most of the others are kept for a moment only: collectors send their series in turn, so if each
 * text took the place of another, none would be found when its turn comes again. So with twice as
 * many series as there is room for, half of them are found. A moment suffices for files that have
 * the points of one series after those of another.
 */
final class SeriesTexts {
  /**
   * The form of metric and tags: equal bytes may have another meaning in another form. That of
   * bytes of another protocol is the object that stands for it.
   */
  enum Form {
    LATIN1(StandardCharsets.ISO_8859_1),
    UTF8(StandardCharsets.UTF_8),
    /** The metric, and the text between the braces of the tags. */
    JSON(StandardCharsets.US_ASCII);

    private final Charset charset;

    Form(Charset charset) {
      this.charset = charset;
    }

    Charset charset() {
      return charset;
    }

    /** The bytes that mean a text; null if none do. */
    byte @Nullable [] bytes(String text) {
      byte[] bytes = text.getBytes(charset);
      return new String(bytes, charset).equals(text) ? bytes : null;
    }
  }

  private static final int FIRST_SLOTS = 1024;

  /** Minimum number of slots per text, with which a text nearly always finds a free one. */
  private static final int SPARSE = 4;

  /** Texts with no free slot near their own are not kept, so that none takes long to find. */
  private static final int PROBES = 16;

  /** The last use of a text is known to this precision. */
  private static final long PERIOD_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** For how many periods a text must not have been used to make room. */
  static final int UNUSED_PERIODS = 10;

  /**
   * The part that makes room while all are in use, after many others were not kept: of those that
   * were never found, as long as there are enough of them.
   */
  private static final int CHANGED = 16;

  /** How many texts are kept for a moment; they are not counted. */
  static final int PASSING = 1024;

  /** What a usual text takes with its entry and its series: less is counted as much. */
  static final int USUAL_BYTES = 256;

  /** So often texts must return that were not kept before they count as sent in turn. */
  private static final int RETURNS = 32;

  private final int most;
  private final long mostBytes;
  private final LongSupplier nanoTime;
  private final long begun;

  /** Slots are written under the lock and read without it: an entry may be seen late. */
  private volatile @Nullable KnownText[] slots = new KnownText[FIRST_SLOTS];

  /** By their hashes the last that were not kept; as slots. */
  private final @Nullable KnownText[] passing = new KnownText[PASSING];

  /** How many periods have passed, when a text was put last. */
  private volatile int period;

  // Guarded by this.

  private int used;
  private long bytes;
  private int lookedIn = -1;
  private int leftOut;
  private long allLeftOut;

  /** By its bits that choose a slot one hash of a text that was not kept, to notice its return. */
  private final int[] noticed = new int[PASSING];

  private int noticedIn;
  private int returned;

  /**
   * @param most how many usual texts are kept; of longer ones as many as take the same memory
   */
  SeriesTexts(int most, LongSupplier nanoTime) {
    this.most = most;
    this.mostBytes = (long) most * USUAL_BYTES;
    this.nanoTime = nanoTime;
    this.begun = nanoTime.getAsLong();
  }

  /**
   * The series of these ranges of a text, or null if it is not known.
   *
   * @param before what was found for the text that stands before this one where both come from:
   *     senders repeat the order of their series, so what came behind it the last time is tried
   *     first, which needs no hash
   */
  @Nullable KnownText find(
      @Nullable KnownText before,
      Object form,
      byte[] text,
      int metric,
      int metricEnd,
      int tags,
      int tagsEnd) {
    KnownText next = before == null ? null : before.next;
    if (next != null && next.is(form, text, metric, metricEnd, tags, tagsEnd)) {
      return used(next);
    }
    int hash = KnownText.hash(text, metric, metricEnd, tags, tagsEnd);
    KnownText found = find(slots, hash, form, text, metric, metricEnd, tags, tagsEnd);
    if (found != null) {
      if (before != null) {
        before.next = found;
      }
      return used(found);
    }
    KnownText passed = passing[passing(hash)];
    return passed != null
            && passed.hash == hash
            && passed.is(form, text, metric, metricEnd, tags, tagsEnd)
        ? passed // no text is behind another: it is kept for a moment only
        : null;
  }

  private KnownText used(KnownText found) {
    int now = period;
    if (found.lastUse != now) {
      found.lastUse = now;
    }
    return found;
  }

  /** How many texts are kept. */
  synchronized int size() {
    return used;
  }

  /** How often a text was not kept, as there was no room. */
  synchronized long leftOut() {
    return allLeftOut;
  }

  /** Whether texts that were not kept come again and again. */
  synchronized boolean areTooMany() {
    return returned >= RETURNS;
  }

  private static int passing(int hash) {
    return (hash >>> 16) & (PASSING - 1);
  }

  private static @Nullable KnownText find(
      @Nullable KnownText[] slots,
      int hash,
      Object form,
      byte[] text,
      int metric,
      int metricEnd,
      int tags,
      int tagsEnd) {
    int mask = slots.length - 1;
    for (int i = 0; i < PROBES; i++) {
      KnownText entry = slots[(hash + i) & mask];
      if (entry == null) {
        return null;
      }
      if (entry.hash == hash && entry.is(form, text, metric, metricEnd, tags, tagsEnd)) {
        return entry;
      }
    }
    return null;
  }

  /**
   * @param text metric and tags, without what stands between them; not changed later
   */
  synchronized void put(Object form, byte[] text, int metricLength, Series series) {
    if (most == 0) {
      return;
    }
    int now = (int) ((nanoTime.getAsLong() - begun) / PERIOD_NANOS);
    period = now;
    KnownText added = new KnownText(form, text, metricLength, series, now);
    boolean isFull = !hasRoom(added) && !makeRoom(now, added);
    if (!isFull && used * SPARSE >= slots.length) {
      grow();
    }
    KnownText[] table = slots;
    int slot = slot(table, added);
    KnownText replaced = slot < 0 ? null : table[slot];
    if (slot >= 0 && !(isFull && replaced == null)) {
      if (replaced == null) {
        used++;
        bytes += added.bytes();
      } else { // it has the same text
        replaced.next = null; // else who has found it before would keep others in memory
      }
      table[slot] = added;
    } else if (isFull) {
      passing[passing(added.hash)] = added;
      leftOut++;
      allLeftOut++;
      notice(added.hash | 1, now);
    }
  }

  /**
   * @param hash not 0
   */
  private void notice(int hash, int now) {
    if (now - noticedIn >= UNUSED_PERIODS) {
      noticedIn = now;
      returned = 0;
      Arrays.fill(noticed, 0);
    }
    int at = passing(hash);
    if (noticed[at] == 0) {
      noticed[at] = hash;
    } else if (noticed[at] == hash) {
      returned++;
    }
  }

  private boolean hasRoom(KnownText added) {
    return bytes + added.bytes() <= mostBytes;
  }

  /** Makes room if it is time to look for some; returns whether there is some now. */
  private boolean makeRoom(int now, KnownText added) {
    boolean isCrowded = leftOut > Math.max(most, FIRST_SLOTS) / 2;
    if (now == lookedIn && !isCrowded) {
      return false;
    }
    lookedIn = now;
    leftOut = 0;
    keep(entry -> !entry.isUnused(now));
    if (isCrowded && bytes > mostBytes - mostBytes / CHANGED) {
      int changed = used / CHANGED;
      long never = Arrays.stream(slots).filter(entry -> entry != null && !entry.wasFound()).count();
      boolean isOfNever = never >= changed;
      long candidates = isOfNever ? never : used;
      keep(
          entry ->
              (isOfNever && entry.wasFound())
                  || ThreadLocalRandom.current().nextLong(candidates) >= changed);
    }
    return hasRoom(added);
  }

  private void grow() {
    slots = copy(new KnownText[slots.length * 2], entry -> true);
  }

  private void keep(Predicate<KnownText> kept) {
    slots = copy(new KnownText[slots.length], kept);
  }

  private @Nullable KnownText[] copy(@Nullable KnownText[] to, Predicate<KnownText> kept) {
    used = 0;
    bytes = 0;
    for (KnownText entry : slots) {
      if (entry != null) {
        entry.next = null; // else it would keep one in memory that is not kept
      }
      int slot = entry == null || !kept.test(entry) ? -1 : slot(to, entry);
      if (slot >= 0) {
        to[slot] = entry;
        used++;
        bytes += entry.bytes();
      }
    }
    return to;
  }

  /** The slot of an entry with the same text, else a free one for it; -1 if there is neither. */
  private static int slot(@Nullable KnownText[] slots, KnownText added) {
    int mask = slots.length - 1;
    byte[] text = added.text;
    int metricEnd = added.metricLength;
    for (int i = 0; i < PROBES; i++) {
      int at = (added.hash + i) & mask;
      KnownText entry = slots[at];
      if (entry == null || entry.is(added.form, text, 0, metricEnd, metricEnd, text.length)) {
        return at;
      }
    }
    return -1;
  }

  synchronized void clear() {
    copy(new KnownText[FIRST_SLOTS], entry -> false);
    slots = new KnownText[FIRST_SLOTS];
    Arrays.fill(passing, null);
    used = 0;
    bytes = 0;
    leftOut = 0;
  }
}
