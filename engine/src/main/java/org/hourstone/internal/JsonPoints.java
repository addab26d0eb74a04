package org.hourstone.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Writes points as JSON, each with a comma after it: as fields of an object, {@code
 * "1500000000":42,}, or as arrays of two, {@code [1500000000,42],}. Consecutive times usually
 * differ only in their last digits: the other digits are cached and copied as words. For one
 * thread.
 */
public final class JsonPoints {
  /** The number of times that share all digits except the last ones. */
  private static final int LAST_DIGITS = 10_000;

  /**
   * More than the length of the longest time or whole number, including bytes that words write
   * beyond it.
   */
  private static final int LONGEST = 64;

  private static final VarHandle LONGS = words(long[].class);
  private static final VarHandle INTS = words(int[].class);

  /** The digits of the numbers from 0 to 999, followed by zeros. */
  private static final int[] SMALL = new int[1000];

  static {
    for (int i = 0; i < SMALL.length; i++) {
      byte[] digits = Integer.toString(i).getBytes(StandardCharsets.US_ASCII);
      SMALL[i] = (int) INTS.get(Arrays.copyOf(digits, Integer.BYTES), 0);
    }
  }

  private final JsonBuffer json;
  private final boolean arrays;
  private final DecimalForm decimals;

  /** The first of the times that begin with the cached digits. */
  private long base = -LAST_DIGITS;

  /** A bracket or quote and the digits of the base without the last ones, in words. */
  private long first;

  private long second;
  private long third;
  private int length;

  /**
   * @param json the buffer to write to
   * @param arrays whether points are arrays of two elements instead of fields of an object
   * @param decimals the form of doubles
   */
  public JsonPoints(JsonBuffer json, boolean arrays, DecimalForm decimals) {
    this.json = json;
    this.arrays = arrays;
    this.decimals = decimals;
  }

  private static VarHandle words(Class<?> type) {
    return MethodHandles.byteArrayViewVarHandle(type, ByteOrder.BIG_ENDIAN);
  }

  /** Writes a point with an integer. */
  public void add(long time, long value) {
    begin(time);
    if (value >= 0 && value < SMALL.length) {
      int digits = SMALL[(int) value];
      INTS.set(json.bytes, json.size, digits);
      json.size += Integer.BYTES - Integer.numberOfTrailingZeros(digits) / Byte.SIZE;
    } else {
      json.whole(value);
    }
    end();
  }

  /** Writes a point with a double, in quotes if JSON has no number for it. */
  public void add(long time, double value) {
    begin(time);
    decimals.write(value, json);
    end();
  }

  /** Writes a point with null. */
  public void addNull(long time) {
    begin(time);
    json.raw("null");
    end();
  }

  private void begin(long time) {
    json.room(LONGEST);
    if (time < LAST_DIGITS) {
      json.raw(arrays ? '[' : '"').whole(time);
      beginValue();
      return;
    }
    long last = time - base;
    if (last < 0 || last >= LAST_DIGITS) {
      last = time % LAST_DIGITS;
      setBase(time - last);
    }
    byte[] to = json.bytes;
    int at = json.size;
    LONGS.set(to, at, first);
    if (length > Long.BYTES) {
      LONGS.set(to, at + Long.BYTES, second);
      LONGS.set(to, at + 2 * Long.BYTES, third);
    }
    JsonBuffer.pair(to, at + length, (int) last / 100);
    JsonBuffer.pair(to, at + length + 2, (int) last % 100);
    json.size = at + length + 4;
    beginValue();
  }

  private void setBase(long time) {
    String digits = (arrays ? "[" : "\"") + time / LAST_DIGITS;
    byte[] bytes = Arrays.copyOf(digits.getBytes(StandardCharsets.US_ASCII), 3 * Long.BYTES);
    first = (long) LONGS.get(bytes, 0);
    second = (long) LONGS.get(bytes, Long.BYTES);
    third = (long) LONGS.get(bytes, 2 * Long.BYTES);
    length = digits.length();
    base = time;
  }

  private void beginValue() {
    if (!arrays) {
      json.bytes[json.size++] = '"';
    }
    json.bytes[json.size++] = (byte) (arrays ? ',' : ':');
  }

  private void end() {
    json.room(2);
    if (arrays) {
      json.bytes[json.size++] = ']';
    }
    json.bytes[json.size++] = ',';
  }
}
