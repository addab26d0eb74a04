package org.hourstone.index;

import java.util.Collection;
import java.util.List;

/**
 * A condition on a series' tags. A matching series meets all conditions of a request. UIDs have the
 * width of their kind.
 */
public sealed interface Condition {
  /** The series has this tag name with one of these values; without values no series matches. */
  record AnyOf(byte[] tagk, Collection<byte[]> tagvs) implements Condition {
    public AnyOf {
      tagvs = List.copyOf(tagvs);
    }
  }

  /** The series has this tag name with another value than these. */
  record NoneOf(byte[] tagk, Collection<byte[]> tagvs) implements Condition {
    public NoneOf {
      tagvs = List.copyOf(tagvs);
    }
  }

  /**
   * The series has this tag name with a value that passes the test. Only values of series that meet
   * the other conditions are tested, and results are cached.
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
