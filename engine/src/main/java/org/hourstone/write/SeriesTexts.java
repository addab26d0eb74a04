package org.hourstone.write;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The series of texts, by the bytes of metric and tags exactly as they were written. Looking one up
 * allocates nothing. Holds as many texts as it may since the last turn, and those of the turn
 * before that: when it is full, the texts that were not used in the meantime are dropped.
 * Thread-safe.
 */
final class SeriesTexts {
  /** The form of metric and tags: equal bytes may have another meaning in another form. */
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

  private static final long MIX = 0x9E3779B97F4A7C15L;

  private static final VarHandle WORDS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final int most;
  private volatile Turns turns = new Turns(new Entry[FIRST_SLOTS], new Entry[1]);

  /** Guarded by this. */
  private int used;

  /** Slots are written under the lock and read without it: an entry may be seen late. */
  private record Turns(@Nullable Entry[] present, @Nullable Entry[] last) {}

  private static final class Entry {
    final Form form;
    final byte[] text;
    final int metricLength;
    final int hash;
    final Series series;

    Entry(Form form, byte[] text, int metricLength, Series series) {
      this.form = form;
      this.text = text;
      this.metricLength = metricLength;
      this.hash = hash(text, 0, metricLength, metricLength, text.length);
      this.series = series;
    }

    /** Whether it is the entry of these ranges, whose hash is the same. */
    boolean is(Form other, byte[] in, int metric, int metricEnd, int tags, int tagsEnd) {
      return form == other
          && isSame(text, 0, metricLength, in, metric, metricEnd)
          && isSame(text, metricLength, text.length, in, tags, tagsEnd);
    }
  }

  /**
   * @param most how many texts are kept in one turn
   */
  SeriesTexts(int most) {
    this.most = most;
  }

  /** The series of these ranges of a text, or null if it is not known. */
  @Nullable Series find(Form form, byte[] text, int metric, int metricEnd, int tags, int tagsEnd) {
    int hash = hash(text, metric, metricEnd, tags, tagsEnd);
    Turns now = turns;
    Entry found = find(now.present, hash, form, text, metric, metricEnd, tags, tagsEnd);
    if (found == null) {
      found = find(now.last, hash, form, text, metric, metricEnd, tags, tagsEnd);
      if (found == null) {
        return null;
      }
      put(found);
    }
    return found.series;
  }

  private static @Nullable Entry find(
      @Nullable Entry[] slots,
      int hash,
      Form form,
      byte[] text,
      int metric,
      int metricEnd,
      int tags,
      int tagsEnd) {
    int mask = slots.length - 1;
    for (int i = 0; i < PROBES; i++) {
      Entry entry = slots[(hash + i) & mask];
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
  void put(Form form, byte[] text, int metricLength, Series series) {
    put(new Entry(form, text, metricLength, series));
  }

  private synchronized void put(Entry entry) {
    if (most == 0) {
      return;
    }
    if (used >= most) {
      turns = new Turns(new Entry[FIRST_SLOTS], turns.present);
      used = 0;
    } else if (used * SPARSE >= turns.present.length) {
      grow();
    }
    used += put(turns.present, entry);
  }

  private void grow() {
    Turns old = turns;
    Entry[] more = new Entry[old.present.length * 2];
    int kept = 0;
    for (Entry entry : old.present) {
      kept += entry == null ? 0 : put(more, entry);
    }
    used = kept;
    turns = new Turns(more, old.last);
  }

  /** How many slots more are used now. */
  private static int put(@Nullable Entry[] slots, Entry added) {
    int mask = slots.length - 1;
    for (int i = 0; i < PROBES; i++) {
      int at = (added.hash + i) & mask;
      Entry entry = slots[at];
      byte[] text = added.text;
      int metricEnd = added.metricLength;
      if (entry == null || entry.is(added.form, text, 0, metricEnd, metricEnd, text.length)) {
        slots[at] = added;
        return entry == null ? 1 : 0;
      }
    }
    return 0;
  }

  synchronized void clear() {
    turns = new Turns(new Entry[FIRST_SLOTS], new Entry[1]);
    used = 0;
  }

  private static int hash(byte[] text, int metric, int metricEnd, int tags, int tagsEnd) {
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
