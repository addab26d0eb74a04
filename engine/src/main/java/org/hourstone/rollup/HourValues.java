package org.hourstone.rollup;

import java.util.ArrayList;
import java.util.List;
import org.hourstone.codec.CellKind;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.codec.DuplicatePolicy;
import org.hourstone.codec.RowDecoder;
import org.hourstone.codec.RowPoints;
import org.hourstone.codec.coded.CodedPoints;
import org.hourstone.kv.Change;
import org.hourstone.kv.CodedCell;
import org.hourstone.kv.Row;
import org.hourstone.rollup.MarkedHour.Reason;
import org.jspecify.annotations.Nullable;

/** Computes what the points of an hour of a series are rolled up to. For one thread at a time. */
final class HourValues {
  private final RollupPlan plan;
  private final IntervalCells cells;
  private final RowDecoder decoder;

  /**
   * The values of an hour.
   *
   * @param cells of each of the plan's intervals of points
   * @param isOfNoPoints whether it has none, not even some that can't be rolled up
   * @param reason why the row stays marked; null if it need not be
   */
  record Rolled(List<List<Change>> cells, boolean isOfNoPoints, @Nullable Reason reason) {}

  HourValues(RollupPlan plan, IntervalCells cells, DuplicatePolicy duplicates) {
    this.plan = plan;
    this.cells = cells;
    this.decoder = new RowDecoder(duplicates, false);
  }

  /** What the rows of an hour of one series, in one bucket or several, are rolled up to. */
  Rolled of(List<Row> ofHour, long hour) {
    Reason reason = null;
    decoder.start();
    try {
      for (Row row : ofHour) {
        for (int i = 0; i < row.size(); i++) {
          if (row.coded() != null && addCoded(row.coded(), row.writeTime(i))) {
            continue;
          }
          byte[] qualifier = row.qualifier(i);
          CellKind kind = CellKind.of(qualifier);
          if (kind.holdsPoints()) {
            var unused = decoder.add(qualifier, row.value(i), row.writeTime(i));
          } else if (kind == CellKind.ANNOTATION) {
            reason = Reason.ANNOTATIONS;
          }
        }
      }
      RowPoints of = decoder.finish();
      decoder.checkLengths(of);
      List<List<Change>> values = new ArrayList<>();
      for (RollupInterval interval : plan.ofPoints()) {
        List<Change> puts = valuesOf(of, hour, interval);
        if (puts == null) {
          return withoutValues();
        }
        values.add(puts);
      }
      return new Rolled(values, of.size() == 0, reason);
    } catch (CorruptDataException e) {
      return withoutValues(); // who reads it gets the error
    }
  }

  /** Those of an hour without a point. */
  Rolled none() {
    return new Rolled(noCells(), true, null);
  }

  private Rolled withoutValues() {
    return new Rolled(noCells(), false, Reason.POINTS);
  }

  private List<List<Change>> noCells() {
    return plan.ofPoints().stream().map(each -> List.<Change>of()).toList();
  }

  /** Takes a cell's points from its coded form, and returns whether it could. */
  private boolean addCoded(CodedCell cell, long writeTime) {
    try {
      return cell.codec().equals(CodedPoints.NAME)
          && decoder.add(
              into -> CodedPoints.addPoints(cell.bytes(), cell.start(), into), writeTime);
    } catch (IllegalArgumentException e) {
      return false; // its bytes are those of a corrupt cell
    }
  }

  /** The values of an interval in an hour; null if some are no finite numbers. */
  private @Nullable List<Change> valuesOf(RowPoints of, long hour, RollupInterval interval) {
    List<Change> puts = new ArrayList<>();
    RolledValue value = new RolledValue();
    int millis = (int) (interval.seconds() * 1000);
    long @Nullable [] integers = of.smallIntegers();
    int i = 0;
    while (i < of.size()) {
      int start = of.offset(i) - of.offset(i) % millis;
      int end = of.indexOf(start + millis);
      value.clear();
      if (integers != null) {
        value.addSmall(integers, i, end);
      }
      for (; integers == null && i < end; i++) {
        value.add(of.isFloat(i), of.raw(i), of.toDouble(i));
      }
      i = end;
      if (!value.isFinite()) {
        return null;
      }
      cells.put(interval.index(hour + start / 1000), value, puts);
    }
    return puts;
  }
}
