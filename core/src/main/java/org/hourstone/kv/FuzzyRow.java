package org.hourstone.kv;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Accepts rows that agree with a template at the bytes the mask selects. A row must be exactly as
 * long as the template.
 *
 * @param template the key to compare with
 * @param fixed as long as the template; true where the byte must be equal, false where any byte is
 *     accepted
 */
public record FuzzyRow(byte[] template, boolean[] fixed) implements RowFilter {
  public FuzzyRow {
    if (template.length == 0 || template.length != fixed.length) {
      throw new IllegalArgumentException("a fuzzy row needs a template and a mask of equal length");
    }
    template = template.clone();
    fixed = fixed.clone();
  }

  @Override
  public boolean matches(byte[] row) {
    return row.length == template.length && firstDifference(row) < 0;
  }

  /**
   * The smallest key after {@code row} that matches; if there is none, a key of all FF longer than
   * {@code row}.
   */
  @Override
  public byte @Nullable [] seekHint(byte[] row) {
    int length = template.length;
    // Built in three steps: truncate row to the template's length, find the first fixed
    // byte that differs, then increase that byte or carry into a free byte before it.
    byte[] next = Arrays.copyOf(row, length);
    int at = firstDifference(next);
    boolean longer = row.length > length;
    if (at < 0) {
      if (row.length < length) {
        return next; // row is a proper prefix of a matching key: the zero-padded key is after it
      }
      if (!longer) {
        return null; // row itself matches
      }
      // An extension of a matching key: the next match differs before it.
      return carry(next, length, row.length);
    }
    if (Byte.toUnsignedInt(next[at]) < Byte.toUnsignedInt(template[at])) {
      return lowestFrom(next, at);
    }
    return carry(next, at, row.length);
  }

  /** The smallest matching key greater than every key that starts with {@code key[0, before)}. */
  private byte[] carry(byte[] key, int before, int rowLength) {
    for (int i = before - 1; i >= 0; i--) {
      if (!fixed[i] && key[i] != (byte) 0xFF) {
        key[i]++;
        return lowestFrom(key, i + 1);
      }
    }
    byte[] beyond = new byte[Math.max(key.length, rowLength) + 1];
    Arrays.fill(beyond, (byte) 0xFF);
    return beyond;
  }

  private byte[] lowestFrom(byte[] key, int from) {
    for (int i = from; i < key.length; i++) {
      key[i] = fixed[i] ? template[i] : 0;
    }
    return key;
  }

  private int firstDifference(byte[] row) {
    for (int i = 0; i < template.length; i++) {
      if (fixed[i] && row[i] != template[i]) {
        return i;
      }
    }
    return -1;
  }
}
