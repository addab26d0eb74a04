package org.hourstone.query;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.hourstone.error.RequestException;
import org.hourstone.internal.Glob;
import org.hourstone.kv.Bytes;

/**
 * How tag filters are interpreted ({@code hourstone.strict=filters}). See {@code
 * docs/query.md#filters}.
 */
public enum FilterDialect {
  HOURSTONE,

  /** That of OpenTSDB 2.4. */
  OPENTSDB {
    /** OpenTSDB has a filter for absent tags, but can't be asked for it. */
    @Override
    public void check(TagFilter filter) {
      if (filter.type() == TagFilter.Type.NOT_KEY) {
        throw TagFilter.Type.unknown(filter.type().requestName());
      }
    }

    /** OpenTSDB requires the tag for negative filters, too. */
    @Override
    public boolean passesAbsent(TagFilter filter) {
      return false;
    }

    /** OpenTSDB uses the values of any list for the first tag, of the last list for others. */
    @Override
    public Set<Bytes> combined(Set<Bytes> before, Set<Bytes> last, boolean ofFirstTag) {
      if (ofFirstTag) {
        last.addAll(before);
      }
      return last;
    }

    /** OpenTSDB finds a pattern anywhere within the value unless a star at one end anchors it. */
    @Override
    public Predicate<String> glob(String pattern) {
      return value -> matchesLoosely(pattern, value);
    }
  };

  /**
   * @throws RequestException if filters of this type can't be used
   */
  public void check(TagFilter filter) {}

  /** Whether series without the tag pass. */
  public boolean passesAbsent(TagFilter filter) {
    return filter.type().passesAbsent();
  }

  /**
   * The values that pass several lists on one tag.
   *
   * @param before of the lists so far
   * @param last of one more list
   * @param ofFirstTag whether the tag is the first of all filtered tags by their UIDs
   */
  public Set<Bytes> combined(Set<Bytes> before, Set<Bytes> last, boolean ofFirstTag) {
    last.retainAll(before);
    return last;
  }

  /** Whether a value matches a pattern with stars, or one of some with {@code |} between them. */
  public Predicate<String> glob(String pattern) {
    return Glob.of(pattern);
  }

  /**
   * A star at one end only anchors the other end; every piece must occur, searched from an offset
   * that grows by the lengths of the pieces before it.
   */
  private static boolean matchesLoosely(String pattern, String text) {
    boolean opens = pattern.startsWith("*");
    boolean closes = pattern.endsWith("*");
    List<String> pieces =
        Arrays.stream(pattern.split("\\*")).filter(piece -> !piece.isEmpty()).toList();
    if (pieces.isEmpty()) {
      return true;
    }
    if (opens && !closes && !text.endsWith(pieces.get(pieces.size() - 1))) {
      return false;
    }
    if (closes && !opens && !text.startsWith(pieces.get(0))) {
      return false;
    }
    int from = 0;
    for (String piece : pieces) {
      if (text.indexOf(piece, from) < 0) {
        return false;
      }
      from += piece.length();
    }
    return true;
  }
}
