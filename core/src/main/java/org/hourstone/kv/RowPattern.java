package org.hourstone.kv;

import java.util.Arrays;
import java.util.List;

/**
 * Selects rows by the fixed-width key/value pairs that follow a prefix of fixed length. Each {@link
 * Term} requires that one pair key is present, or present with one of some values, or absent.
 *
 * <pre>
 *   +-- skip --+-- key --+-- value --+-- key --+-- value --+ ...
 * </pre>
 *
 * <p>A row that is shorter than {@code skip}, or whose rest is not a whole number of pairs, does
 * not match.
 *
 * @param skip length of the prefix in bytes; it is not checked
 * @param keyWidth bytes of a pair's key, at least 1
 * @param valueWidth bytes of a pair's value, at least 1
 * @param terms the conditions; all must hold
 * @param onlyTerms whether a row with pairs that no term names is refused
 */
public record RowPattern(
    int skip, int keyWidth, int valueWidth, List<Term> terms, boolean onlyTerms)
    implements RowFilter {

  /**
   * @param key the pair's key
   * @param presence the condition on it
   * @param values the allowed values where the presence is {@link Presence#ONE_OF}, else empty
   */
  public record Term(byte[] key, Presence presence, List<byte[]> values) {
    public Term {
      if ((presence == Presence.ONE_OF) == values.isEmpty()) {
        throw new IllegalArgumentException("values are for ONE_OF, which needs at least one");
      }
      key = key.clone();
      values = values.stream().map(byte[]::clone).toList();
    }
  }

  /** The condition of a {@link Term} on its pair. */
  public enum Presence {
    /** The pair is present, with any value. */
    ANY_VALUE,
    /** The pair is present, with one of the listed values. */
    ONE_OF,
    /** No pair has this key. */
    ABSENT
  }

  public RowPattern {
    if (skip < 0 || keyWidth < 1 || valueWidth < 1) {
      throw new IllegalArgumentException("bad row pattern widths");
    }
    for (Term term : terms) {
      if (term.key().length != keyWidth) {
        throw new IllegalArgumentException("term key is not " + keyWidth + " bytes wide");
      }
      for (byte[] value : term.values()) {
        if (value.length != valueWidth) {
          throw new IllegalArgumentException("term value is not " + valueWidth + " bytes wide");
        }
      }
    }
    terms = List.copyOf(terms);
  }

  @Override
  public boolean matches(byte[] row) {
    int pairWidth = keyWidth + valueWidth;
    if (row.length < skip || (row.length - skip) % pairWidth != 0) {
      return false;
    }
    for (Term term : terms) {
      int pair = pairWithKey(row, term.key());
      boolean holds =
          switch (term.presence()) {
            case ANY_VALUE -> pair >= 0;
            case ABSENT -> pair < 0;
            case ONE_OF -> pair >= 0 && hasValue(row, pair + keyWidth, term.values());
          };
      if (!holds) {
        return false;
      }
    }
    return !onlyTerms || everyPairIsNamed(row);
  }

  private boolean everyPairIsNamed(byte[] row) {
    for (int at = skip; at < row.length; at += keyWidth + valueWidth) {
      if (!isNamed(row, at)) {
        return false;
      }
    }
    return true;
  }

  private boolean isNamed(byte[] row, int at) {
    for (Term term : terms) {
      if (Arrays.equals(row, at, at + keyWidth, term.key(), 0, keyWidth)) {
        return true;
      }
    }
    return false;
  }

  private int pairWithKey(byte[] row, byte[] key) {
    for (int at = skip; at < row.length; at += keyWidth + valueWidth) {
      if (Arrays.equals(row, at, at + keyWidth, key, 0, keyWidth)) {
        return at;
      }
    }
    return -1;
  }

  private boolean hasValue(byte[] row, int at, List<byte[]> values) {
    for (byte[] value : values) {
      if (Arrays.equals(row, at, at + valueWidth, value, 0, valueWidth)) {
        return true;
      }
    }
    return false;
  }
}
