package org.hourstone.codec.coded;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import org.hourstone.codec.RollupQualifier;
import org.hourstone.codec.RowPoints;
import org.hourstone.codec.Value;
import org.jspecify.annotations.Nullable;

/**
 * Codes cells of one row of rolled-up values together, without loss: {@link #decode} returns the
 * cells that were passed to {@link #encode}. The form of cells that have the same intervals for
 * each aggregation is small; others are stored as they are, after a header.
 *
 * <pre>
 *   01 000 a i s   version 1; ages and ids follow, each interval is the one after the one before
 *   ids            if i = 1: how many, and a byte each; else they are 0, 1, 2 and 3
 *   intervals      how many, the first index; unless s = 1 the distance of each from the one before
 *   ages           if a = 1: the differences
 *   values         of each id in turn
 *     vv rrr ppp   as in {@link CodedPoints}: values, rule, places (7: 7 and those of another byte)
 *     flags        only with the rule STORED: {@link StoredFlags}
 *     numbers      vv = 0 integers, 1 decimal numbers: the differences
 *                       2 the same after the units of all numbers
 *                       3 the bytes of the values
 *
 *   01 100 0 0 0, how many cells, of each the age, the lengths of qualifier and value, and these
 * </pre>
 *
 * <p>Numbers are {@link Residuals}; a single one is a signed varint.
 */
public final class CodedRollups {
  /** The name of the coding. */
  public static final String NAME = "rollups-1";

  private static final int VERSION = 1 << 6;
  private static final int ANY_CELLS = VERSION | 1 << 5;
  private static final int HAS_AGES = 4;
  private static final int HAS_IDS = 2;
  private static final int CONSECUTIVE = 1;

  private static final int[] USUAL_IDS = {0, 1, 2, 3};

  private static final int VALUES_SHIFT = 6;
  private static final int RULE_SHIFT = 3;
  private static final int MASK = 7;

  /** In the header of values: the other places are in the next byte. */
  private static final int MANY_PLACES = 7;

  private static final int QUALIFIER = 3;
  private static final int MILLIS = 1000;

  private CodedRollups() {}

  /** Whether cells with this qualifier are coded: that of an aggregation's id. */
  public static boolean codes(byte[] qualifier) {
    return qualifier.length == QUALIFIER && qualifier[0] >= 0;
  }

  /**
   * The coded form of cells of a row. It was decoded once, and the result compared with the cells.
   *
   * @param cells at least one, ascending by qualifier, with any values
   */
  public static byte[] encode(List<PlainCell> cells) {
    Output out = new Output(64);
    Grid grid = Grid.of(cells);
    if (grid != null) {
      write(grid, out);
      byte[] coded = out.toBytes();
      if (isCodedFormOf(coded, grid)) {
        return coded;
      }
      out.clear();
    }
    out.put(ANY_CELLS);
    out.putVarint(cells.size());
    for (PlainCell cell : cells) {
      out.putVarint(cell.age());
      out.putVarint(cell.qualifier().length);
      out.putVarint(cell.value().length);
      out.put(cell.qualifier(), 0, cell.qualifier().length);
      out.put(cell.value(), 0, cell.value().length);
    }
    return out.toBytes();
  }

  /** Whether a form that was encoded is that of a grid. */
  private static boolean isCodedFormOf(byte[] coded, Grid grid) {
    Input in = new Input(coded, 0, coded.length);
    in.version = CodedPoints.VERSION;
    Head head = head(in, in.next());
    RowPoints decoded = new RowPoints();
    boolean same = Arrays.equals(head.ids(), grid.ids()) && Arrays.equals(head.ages(), grid.ages());
    for (int i = 0; same && i < head.ids().length; i++) {
      decoded.clear();
      read(in, head.offsets(), decoded);
      same = areSame(decoded, grid.columns().get(i));
    }
    return same;
  }

  private static boolean areSame(RowPoints some, RowPoints others) {
    boolean same = some.size() == others.size();
    for (int i = 0; same && i < some.size(); i++) {
      same =
          some.offset(i) == others.offset(i)
              && some.flags(i) == others.flags(i)
              && some.raw(i) == others.raw(i);
    }
    return same;
  }

  private static void write(Grid grid, Output out) {
    boolean usual = Arrays.equals(grid.ids(), USUAL_IDS);
    int count = grid.count();
    boolean consecutive = grid.index(count - 1) - grid.index(0) == count - 1;
    boolean ages = !grid.isOfOneTime();
    out.put(
        VERSION | (ages ? HAS_AGES : 0) | (usual ? 0 : HAS_IDS) | (consecutive ? CONSECUTIVE : 0));
    if (!usual) {
      out.putVarint(grid.ids().length);
      for (int id : grid.ids()) {
        out.put(id);
      }
    }
    out.putVarint(count);
    out.putVarint(grid.index(0));
    for (int i = 1; i < count && !consecutive; i++) {
      out.putVarint(grid.index(i) - grid.index(i - 1));
    }
    Scaling scaling = new Scaling();
    EncoderSpace space = count == 1 ? null : new EncoderSpace();
    if (ages) {
      long[] differences = grid.ages().clone();
      Residuals.difference(differences, count);
      write(differences, count, space, out);
    }
    for (RowPoints column : grid.columns()) {
      write(column, scaling, space, out);
    }
  }

  private static void write(
      RowPoints column, Scaling scaling, @Nullable EncoderSpace space, Output out) {
    int count = column.size();
    ValueRule rule = ValueRule.of(column);
    boolean scaled = scaling.scale(column, rule);
    if (!scaled && !rule.givesLengths()) {
      rule = ValueRule.STORED;
    }
    int form =
        !scaled
            ? CodedPoints.BYTES
            : scaling.isNear()
                ? CodedPoints.NEAR_DECIMALS
                : Scaling.isAllIntegers(column, rule) ? CodedPoints.INTEGERS : CodedPoints.DECIMALS;
    int places = scaled ? scaling.places() : 0;
    int fewPlaces = Math.min(places, MANY_PLACES);
    out.put(form << VALUES_SHIFT | rule.index() << RULE_SHIFT | fewPlaces);
    if (fewPlaces == MANY_PLACES) {
      out.put(places - MANY_PLACES);
    }
    if (rule == ValueRule.STORED) {
      StoredFlags.write(column, out);
    }
    if (!scaled) {
      for (int i = 0; i < count; i++) {
        byte[] value = Value.encode(column.flags(i), column.raw(i));
        out.put(value, 0, value.length);
      }
      return;
    }
    if (scaling.isNear()) {
      write(scaling.units(), count, space, out);
    }
    Residuals.difference(scaling.integers(), count);
    write(scaling.integers(), count, space, out);
  }

  /**
   * @param space null if there is a single number
   */
  private static void write(long[] numbers, int count, @Nullable EncoderSpace space, Output out) {
    if (space == null) {
      out.putSigned(numbers[0]);
    } else {
      Residuals.write(numbers, count, false, space, out);
    }
  }

  /**
   * The cells that were encoded, ascending by qualifier.
   *
   * @param bytes contain the coded form
   * @param from its first byte
   * @param to the index after its last byte
   * @param wanted the ids of aggregations whose cells are needed; others may be left out
   * @throws IllegalArgumentException if the bytes are not such a form; the message says why
   */
  public static List<PlainCell> decode(byte[] bytes, int from, int to, IntPredicate wanted) {
    Input in = new Input(bytes, from, to);
    in.version = CodedPoints.VERSION;
    int header = in.next();
    List<PlainCell> cells;
    if (header == ANY_CELLS) {
      cells = anyCells(in, to - from);
      in.end();
    } else if ((header & ~(HAS_AGES | HAS_IDS | CONSECUTIVE)) == VERSION) {
      cells = cells(in, header, wanted);
    } else {
      throw new IllegalArgumentException("coded rolled-up values with the header " + header);
    }
    return cells;
  }

  private static List<PlainCell> anyCells(Input in, int length) {
    List<PlainCell> cells = new ArrayList<>();
    int count = in.varint(1, length, "number of cells");
    for (int i = 0; i < count; i++) {
      long age = checkedAge(in.varint());
      int ofQualifier = in.varint(0, length, "length of a qualifier");
      int ofValue = in.varint(0, length, "length of a value");
      cells.add(new PlainCell(in.part(ofQualifier).rest(), in.part(ofValue).rest(), age));
    }
    return cells;
  }

  /**
   * What is before the values.
   *
   * @param offsets the indexes of the intervals, as seconds
   */
  private record Head(int[] ids, int[] offsets, long[] ages) {}

  private static Head head(Input in, int header) {
    int[] ids = (header & HAS_IDS) == 0 ? USUAL_IDS : ids(in);
    int[] offsets = offsets(in, (header & CONSECUTIVE) != 0);
    long[] ages = new long[offsets.length];
    if ((header & HAS_AGES) != 0) {
      ages = integers(in, offsets.length);
      for (long age : ages) {
        long unused = checkedAge(age);
      }
    }
    return new Head(ids, offsets, ages);
  }

  /** Receives the values of an aggregation. */
  @FunctionalInterface
  public interface Columns {
    /**
     * @param values whose offsets are the indexes of their intervals, as seconds; reused
     * @param ages of these, as in {@link PlainCell}
     */
    void add(int id, RowPoints values, long[] ages);
  }

  /**
   * Decodes values without making cells of them.
   *
   * @param bytes contain the coded form
   * @param from its first byte
   * @param to the index after its last byte
   * @param wanted the ids of aggregations that are needed
   * @param into receives these, ascending
   * @return false if the cells are not coded as columns: {@link #decode} returns them
   * @throws IllegalArgumentException if the bytes are not such a form; the message says why
   */
  public static boolean read(byte[] bytes, int from, int to, IntPredicate wanted, Columns into) {
    Input in = new Input(bytes, from, to);
    in.version = CodedPoints.VERSION;
    int header = in.next();
    if ((header & ~(HAS_AGES | HAS_IDS | CONSECUTIVE)) != VERSION) {
      return false;
    }
    readColumns(in, header, wanted, into);
    return true;
  }

  /** Those after the last one that is wanted are not read. */
  private static void readColumns(Input in, int header, IntPredicate wanted, Columns into) {
    Head head = head(in, header);
    RowPoints column = new RowPoints();
    int last = head.ids().length;
    while (last > 0 && !wanted.test(head.ids()[last - 1])) {
      last--;
    }
    for (int i = 0; i < last; i++) {
      column.clear();
      read(in, head.offsets(), column);
      if (wanted.test(head.ids()[i])) {
        into.add(head.ids()[i], column, head.ages());
      }
    }
    if (last == head.ids().length) {
      in.end();
    }
  }

  private static List<PlainCell> cells(Input in, int header, IntPredicate wanted) {
    List<PlainCell> cells = new ArrayList<>();
    readColumns(
        in,
        header,
        wanted,
        (id, column, ages) -> {
          for (int i = 0; i < column.size(); i++) {
            int flags = column.flags(i);
            byte[] qualifier = RollupQualifier.encode(id, column.offset(i) / MILLIS, flags);
            cells.add(new PlainCell(qualifier, Value.encode(flags, column.raw(i)), ages[i]));
          }
        });
    return cells;
  }

  private static long checkedAge(long age) {
    if (age < 0) {
      throw new IllegalArgumentException("a cell of an age of " + age);
    }
    return age;
  }

  private static int[] ids(Input in) {
    int[] ids = new int[in.varint(1, RollupQualifier.MAX_ID + 1, "number of aggregations")];
    int before = -1;
    for (int i = 0; i < ids.length; i++) {
      ids[i] = in.next();
      if (ids[i] <= before || ids[i] > RollupQualifier.MAX_ID) {
        throw new IllegalArgumentException("the aggregation " + ids[i] + " after " + before);
      }
      before = ids[i];
    }
    return ids;
  }

  private static int[] offsets(Input in, boolean consecutive) {
    int most = RollupQualifier.MAX_INDEX;
    int[] offsets = new int[in.varint(1, most + 1, "number of intervals")];
    int index = in.varint(0, most, "index of an interval");
    offsets[0] = index * MILLIS;
    for (int i = 1; i < offsets.length; i++) {
      index += consecutive ? 1 : in.varint(1, most, "distance of an interval");
      if (index > most) {
        throw new IllegalArgumentException("an interval of the index " + index);
      }
      offsets[i] = index * MILLIS;
    }
    return offsets;
  }

  private static void read(Input in, int[] offsets, RowPoints column) {
    int header = in.next();
    ValueRule rule = ValueRule.of(header >>> RULE_SHIFT & MASK);
    int places = header & MASK;
    if (places == MANY_PLACES) {
      places += in.next();
    }
    if (places > Decimals.MOST_PLACES) {
      throw new IllegalArgumentException("numbers of " + places + " decimal places");
    }
    int count = offsets.length;
    DecodedPoints decoded = new DecodedPoints(column, offsets, false, rule, in);
    switch (header >>> VALUES_SHIFT) {
      case CodedPoints.INTEGERS -> decoded.setIntegers(integers(in, count));
      case CodedPoints.DECIMALS ->
          decoded.setNumbers(new ScaledValues(integers(in, count), places, null));
      case CodedPoints.NEAR_DECIMALS -> {
        long[] units = numbers(in, count);
        decoded.setNumbers(new ScaledValues(integers(in, count), places, units));
      }
      default -> decoded.setBytes(in);
    }
    decoded.add();
  }

  private static long[] integers(Input in, int count) {
    long[] integers = numbers(in, count);
    Residuals.sum(integers);
    return integers;
  }

  private static long[] numbers(Input in, int count) {
    long[] numbers = new long[count];
    if (count == 1) {
      numbers[0] = in.signed();
    } else {
      Residuals.read(in, numbers, false);
    }
    return numbers;
  }
}
