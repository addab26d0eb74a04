package org.hourstone.rollup;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;
import org.hourstone.codec.DuplicatePolicy;
import org.hourstone.codec.Qualifier;
import org.hourstone.codec.RollupQualifier;
import org.hourstone.codec.Value;
import org.hourstone.kv.Change;
import org.hourstone.kv.Row;
import org.hourstone.rollup.RolledValue.Stored;
import org.hourstone.rollup.RollupPlan.Ids;

/** The cells of an interval in a row of rolled-up values. See {@code docs/format/rollup.md}. */
final class IntervalCells {
  private static final int ID_QUALIFIER = 3;

  private final Ids ids;
  private final DuplicatePolicy duplicates;

  IntervalCells(Ids ids, DuplicatePolicy duplicates) {
    this.ids = ids;
    this.duplicates = duplicates;
  }

  /** Adds the changes that put the values of an interval; none if it has no points. */
  void put(int index, RolledValue value, List<Change> into) {
    if (!value.isEmpty()) {
      into.add(put(ids.sum(), index, value.sum()));
      into.add(put(ids.count(), index, value.count()));
      into.add(put(ids.min(), index, value.min()));
      into.add(put(ids.max(), index, value.max()));
    }
  }

  private static Change.Put put(int id, int index, Stored value) {
    return new Change.Put(RollupQualifier.encode(id, index, value.flags()), value.bytes());
  }

  /**
   * The changes that make some intervals of a row what they should be.
   *
   * @param present the row as it is
   * @param intervals tests the index of an interval
   * @param puts all of their values
   */
  List<Change> replacing(Row present, IntPredicate intervals, List<Change> puts) {
    List<Change> changes = new ArrayList<>();
    for (Change put : puts) {
      byte[] value = present.find(put.qualifier());
      if (!(put instanceof Change.Put wanted) || !Arrays.equals(wanted.value(), value)) {
        changes.add(put);
      }
    }
    for (int i = 0; i < present.size(); i++) {
      byte[] qualifier = present.qualifier(i);
      if (isOurs(qualifier)
          && intervals.test(RollupQualifier.index(qualifier))
          && puts.stream().noneMatch(put -> Arrays.equals(put.qualifier(), qualifier))) {
        changes.add(new Change.Delete(qualifier));
      }
    }
    return changes;
  }

  /**
   * The starts of the hours or days of which a row has values.
   *
   * @param base the row's base time
   * @param unit the seconds of an hour or a day
   */
  SortedSet<Long> starts(Row row, long base, RollupInterval interval, long unit) {
    SortedSet<Long> starts = new TreeSet<>();
    for (int i = 0; i < row.size(); i++) {
      if (isOurs(row.qualifier(i))) {
        long start = base + RollupQualifier.index(row.qualifier(i)) * interval.seconds();
        starts.add(start - start % unit);
      }
    }
    return starts;
  }

  /** Whether a value is of an aggregation that is computed. */
  boolean isOurs(byte[] qualifier) {
    int id = qualifier.length == ID_QUALIFIER ? qualifier[0] : -1;
    return id == ids.sum() || id == ids.count() || id == ids.min() || id == ids.max();
  }

  /**
   * Whether a value has the length that its qualifier says, and a count is whole; one that another
   * program wrote may not.
   */
  boolean isNumber(byte[] qualifier, byte[] value) {
    int flags = RollupQualifier.flags(qualifier);
    return value.length == Qualifier.valueLength(flags)
        && Value.isLegalLength(flags)
        && (qualifier[0] != ids.count() || isWhole(stored(qualifier, value)));
  }

  private static boolean isWhole(Stored count) {
    return !count.isFloat() || count.value() == (long) count.value();
  }

  /**
   * Adds the values of all intervals with these indexes up; those that lack one are left out. Of
   * several of one aggregation, of other lengths, one counts as in a query; where that fails, the
   * newest.
   *
   * @param corrupt receives the index of an interval of which queries fail: with a value that can't
   *     be decoded, which is left out, or with several
   */
  void sum(Row row, IntPredicate intervals, RolledValue into, IntConsumer corrupt) {
    int most = 0;
    for (int i = 0; i < row.size(); i++) {
      most = Math.max(most, isOurs(row.qualifier(i)) ? RollupQualifier.index(row.qualifier(i)) : 0);
    }
    Stored[][] values = new Stored[most + 1][];
    long[][] times = new long[most + 1][];
    for (int i = 0; i < row.size(); i++) {
      byte[] qualifier = row.qualifier(i);
      if (isOurs(qualifier) && intervals.test(RollupQualifier.index(qualifier))) {
        int index = RollupQualifier.index(qualifier);
        if (!isNumber(qualifier, row.value(i))) {
          corrupt.accept(index);
          continue;
        }
        if (values[index] == null) {
          values[index] = new Stored[4];
          times[index] = new long[4];
        }
        int place = place(qualifier[0]);
        Stored before = values[index][place];
        Stored value = stored(qualifier, row.value(i));
        boolean differs = before != null && !Arrays.equals(before.bytes(), value.bytes());
        if (differs && duplicates == DuplicatePolicy.FAIL) {
          corrupt.accept(index);
        }
        if (before == null
            || (differs && supersedes(value, before, row.writeTime(i) >= times[index][place]))) {
          values[index][place] = value;
          times[index][place] = row.writeTime(i);
        }
      }
    }
    RolledValue one = new RolledValue();
    for (Stored[] four : values) {
      if (four != null && Arrays.stream(four).allMatch(each -> each != null)) {
        one.set(four[0], four[1], four[2], four[3]);
        into.addAll(one);
      }
    }
  }

  private boolean supersedes(Stored value, Stored before, boolean isNewer) {
    return switch (duplicates) {
      case NEWEST_WINS, FAIL -> isNewer;
      case LARGEST_WINS -> value.value() > before.value();
      case SMALLEST_WINS -> value.value() < before.value();
    };
  }

  private int place(int id) {
    if (id == ids.count()) {
      return 0;
    }
    return id == ids.sum() ? 1 : id == ids.min() ? 2 : 3;
  }

  private static Stored stored(byte[] qualifier, byte[] value) {
    int flags = RollupQualifier.flags(qualifier);
    return new Stored(flags, Value.decode(flags, value, 0));
  }
}
