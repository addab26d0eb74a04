package org.hourstone.tool;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.ToLongFunction;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.Schema;
import org.hourstone.codec.Timestamps;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Scan;
import org.hourstone.table.TableRange;
import org.hourstone.table.TableRanges;
import org.hourstone.tool.CopyFamily.Holds;
import org.hourstone.uid.UidKind;
import org.jspecify.annotations.Nullable;

/**
 * Divides a copy into ranges and phases.
 *
 * <p>Names are copied before cells that contain UIDs, and entries from UIDs to names before those
 * from names to UIDs. If everything is copied, both are copied again at the end, so that a name
 * assigned during the copy is in the target if a row uses it.
 */
final class CopyPlan {
  private static final int WANTED = 64;
  private static final String NAMES_BEGIN = "0Aacegikmoqsuwy";
  private static final int ROWS_PHASE = 2;

  /** The selection of global annotations: rows that do not belong to a series. */
  static final int GLOBAL = -2;

  /** No selection: all rows. */
  private static final int ALL = TableRange.ALL;

  private final List<CopyFamily> families;
  private final RowKey keys;
  private final List<TableRange> ranges = new ArrayList<>();

  private CopyPlan(List<CopyFamily> families, RowKey keys) {
    this.families = families;
    this.keys = keys;
  }

  /**
   * The ranges of a scope, in the order of their phases.
   *
   * @param assigned the approximate number of UIDs of a kind
   * @param twice whether names are copied again at the end
   */
  static List<TableRange> ranges(
      CopyScope scope,
      List<CopyFamily> families,
      RowKey keys,
      ToLongFunction<UidKind> assigned,
      boolean twice) {
    CopyPlan plan = new CopyPlan(families, keys);
    if (scope instanceof CopyScope.Series series) {
      plan.addSeries(series);
    } else {
      plan.addEverything(assigned, twice);
    }
    plan.ranges.sort(Comparator.comparingInt(TableRange::phase));
    return plan.ranges;
  }

  private void addEverything(ToLongFunction<UidKind> assigned, boolean twice) {
    long metrics = assigned.applyAsLong(UidKind.METRIC);
    long most = 0;
    for (UidKind kind : UidKind.values()) {
      most = Math.max(most, assigned.applyAsLong(kind));
    }
    Schema schema = keys.schema();
    for (CopyFamily family : families) {
      switch (family.holds()) {
        case NAMES ->
            addNames(family, TableRanges.ofNumbers(schema.tagvWidth(), most, WANTED), 0, twice);
        case UIDS -> addNames(family, firstLetters(), 1, twice);
        case SERIES ->
            addRows(family, ALL, TableRanges.ofNumbers(schema.metricWidth(), metrics, WANTED));
        case TREES -> addRows(family, ALL, List.of(Scan.all()));
        case ROWS ->
            addRows(
                family,
                ALL,
                TableRanges.ofRows(keys, metrics, Math.max(WANTED, schema.distinctSalts())));
      }
    }
  }

  private void addNames(CopyFamily family, List<Scan> scans, int phase, boolean twice) {
    add(family, phase, ALL, scans);
    if (twice) {
      add(family, ROWS_PHASE + 1 + phase, ALL, scans);
    }
  }

  private void addRows(CopyFamily family, int selection, List<Scan> scans) {
    add(family, ROWS_PHASE, selection, scans);
  }

  private void add(CopyFamily family, int phase, int selection, List<Scan> scans) {
    scans.forEach(scan -> ranges.add(new TableRange(family.from(), scan, phase, selection)));
  }

  /**
   * Whether an earlier phase has copied the rows of a range, so that they are not counted again.
   */
  static boolean isAgain(TableRange range) {
    return range.phase() > ROWS_PHASE;
  }

  /** The remaining rows of a range; the selection's filter spares reading others. */
  static Scan rest(TableRange range, CopyScope scope) {
    return scope instanceof CopyScope.Series series && range.selection() >= 0
        ? range.rest().filter(series.selected().get(range.selection()).scan().filter())
        : range.rest();
  }

  private static List<Scan> firstLetters() {
    SortedSet<Bytes> letters = new TreeSet<>();
    NAMES_BEGIN.chars().forEach(letter -> letters.add(new Bytes(new byte[] {(byte) letter})));
    return TableRanges.between(letters);
  }

  private void addSeries(CopyScope.Series scope) {
    for (CopyFamily family : families) {
      if (family.holds() != Holds.ROWS) {
        continue;
      }
      int each = Math.max(1, WANTED / scope.selected().size());
      for (int i = 0; i < scope.selected().size(); i++) {
        Scan scan = rowsOf(family, scope.selected().get(i).scan());
        addRows(family, i, TableRanges.ofHours(scan, keys, each));
      }
      Scan first = rowsOf(family, scope.selected().get(0).scan());
      Scan annotations = Scan.range(global(first.start()), global(first.stop()));
      addRows(family, GLOBAL, List.of(annotations));
    }
  }

  /** The rows of a family that cover some hours of the data table. */
  private Scan rowsOf(CopyFamily family, Scan hours) {
    long start = keys.baseTime(hours.start());
    byte[] first = hours.start().clone();
    keys.setBaseTime(first, Math.max(0, family.baseTime().applyAsLong(start)));
    return Scan.range(first, hours.stop());
  }

  /** The key of the global annotations of an hour, from any key of that hour. */
  private byte[] global(byte @Nullable [] key) {
    byte[] global = new byte[keys.schema().tagsOffset()];
    keys.setBaseTime(global, key == null ? Timestamps.MAX_SECONDS : keys.baseTime(key));
    return global;
  }

  /** Whether a row belongs to a range. */
  static boolean passes(TableRange range, CopyScope scope, RowKey keys, byte[] row) {
    if (range.selection() == ALL) {
      return true;
    }
    if (range.selection() == GLOBAL) {
      return keys.isGlobalRow(row);
    }
    return scope instanceof CopyScope.Series series
        && series.selected().get(range.selection()).passes().test(row);
  }
}
