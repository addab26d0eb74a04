package org.hourstone.index;

import java.util.Collection;
import java.util.List;

/**
 * A condition on a series' tags; a match meets several at once. UIDs have the width of their kind.
 */
public sealed interface Condition {
  /** The series has this tag name, with one of these values; without any value no series is. */
  record AnyOf(byte[] tagk, Collection<byte[]> tagvs) implements Condition {
    public AnyOf {
      tagvs = List.copyOf(tagvs);
    }
  }

  /** The series has this tag name, with none of these values. */
  record NoneOf(byte[] tagk, Collection<byte[]> tagvs) implements Condition {
    public NoneOf {
      tagvs = List.copyOf(tagvs);
    }
  }

  /**
   * The series has this tag name, with a value that passes. Only values of series that meet the
   * other conditions are tested, and results are kept.
   */
  record Matching(byte[] tagk, NameTest test) implements Condition {}

  /** The series has this tag name, with any value. */
  record Present(byte[] tagk) implements Condition {}

  /** The series does not have this tag name. */
  record Absent(byte[] tagk) implements Condition {}

  /** The series has these tag names and no others. */
  record ExactlyKeys(Collection<byte[]> tagks) implements Condition {
    public ExactlyKeys {
      tagks = List.copyOf(tagks);
    }
  }

  /** The series has this tag value, under any name. */
  record Value(byte[] tagv) implements Condition {}
}
