package org.hourstone.write;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * A text of {@link SeriesTexts} and its series. Passed between threads without a lock: all but its
 * last use and the text behind it never changes, and these two are only hints.
 */
final class KnownText {
  /** What it takes without its text: itself, its slots, its series. */
  private static final int BYTES = 176;

  private static final long MIX = 0x9E3779B97F4A7C15L;

  private static final VarHandle WORDS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  final Object form;
  final byte[] text;
  final int metricLength;
  final int hash;
  final Series series;

  /** The period in which it was used last; less than 0 before it is found the first time. */
  int lastUse;

  /** The one that a sender had behind it the last time; null if that is not known. */
  @Nullable KnownText next;

  KnownText(Object form, byte[] text, int metricLength, Series series, int period) {
    this.form = form;
    this.text = text;
    this.metricLength = metricLength;
    this.hash = hash(text, 0, metricLength, metricLength, text.length);
    this.series = series;
    this.lastUse = ~period;
  }

  int bytes() {
    return Math.max(SeriesTexts.USUAL_BYTES, BYTES + text.length);
  }

  boolean wasFound() {
    return lastUse >= 0;
  }

  boolean isUnused(int now) {
    return now - (wasFound() ? lastUse : ~lastUse) >= SeriesTexts.UNUSED_PERIODS;
  }

  /** Whether it is that of these ranges. */
  boolean is(Object other, byte[] in, int metric, int metricEnd, int tags, int tagsEnd) {
    return form == other
        && isSame(text, 0, metricLength, in, metric, metricEnd)
        && isSame(text, metricLength, text.length, in, tags, tagsEnd);
  }

  static int hash(byte[] text, int metric, int metricEnd, int tags, int tagsEnd) {
    long hash = mixed(mixed(0, text, metric, metricEnd), text, tags, tagsEnd);
    return (int) ((hash * MIX) >>> Integer.SIZE); // the last bytes change upper bits only
  }

  /** Mixes a range into a hash, eight bytes at a time; the last may be mixed in twice. */
  private static long mixed(long seed, byte[] text, int from, int to) {
    long hash = (seed ^ (to - from)) * MIX;
    int last = to - Long.BYTES;
    for (int at = from; at < last; at += Long.BYTES) {
      hash = (hash ^ word(text, at)) * MIX;
      hash ^= hash >>> Integer.SIZE;
    }
    hash = (hash ^ (last >= from ? word(text, last) : rest(text, from, to))) * MIX;
    return hash ^ (hash >>> Integer.SIZE);
  }

  private static boolean isSame(byte[] one, int from, int to, byte[] other, int begin, int end) {
    if (to - from != end - begin) {
      return false;
    }
    int last = to - Long.BYTES;
    if (last < from) {
      return rest(one, from, to) == rest(other, begin, end);
    }
    for (int at = from; at < last; at += Long.BYTES) {
      if (word(one, at) != word(other, begin + at - from)) {
        return false;
      }
    }
    return word(one, last) == word(other, end - Long.BYTES);
  }

  private static long word(byte[] text, int at) {
    return (long) WORDS.get(text, at);
  }

  /** At most eight bytes. */
  private static long rest(byte[] text, int from, int to) {
    long rest = 0;
    for (int at = from; at < to; at++) {
      rest = (rest << Byte.SIZE) | (text[at] & 0xFF);
    }
    return rest;
  }
}
