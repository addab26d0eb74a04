package org.hourstone.tool;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.hourstone.codec.CellFlaw;
import org.hourstone.codec.CellKind;
import org.hourstone.codec.Timestamps;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Row;
import org.hourstone.rewrite.Keep;
import org.hourstone.rewrite.RowPart;
import org.hourstone.rewrite.StoredPoint;
import org.jspecify.annotations.Nullable;

/**
 * The flaws of a row's cells, and the repairs that are permitted. Does not access the store.
 *
 * <p>A rewritten cell contains the points of the original cell and keeps its write time, so that
 * readers choose the same one of contradictory cells as before. A plan never replaces a cell that
 * stays.
 */
final class RowPlan {
  private static final HexFormat HEX = HexFormat.of();

  /**
   * A flaw.
   *
   * @param qualifier the qualifier of its cell; null if it has none
   * @param permitted whether it may be repaired
   * @param parts the cells that its repair changes
   */
  record Problem(
      FsckKind kind,
      byte @Nullable [] qualifier,
      String text,
      boolean permitted,
      Set<RowPart> parts) {}

  private final Row row;
  private final FsckOptions options;
  private final long baseTime;
  private final List<RowPart> parts = new ArrayList<>();
  private final List<Problem> problems = new ArrayList<>();
  private final Set<RowPart> held = new HashSet<>();

  /**
   * Cells that keep points which are dropped from other cells, so that these cells must still be
   * present.
   */
  private final Set<RowPart> relied = new HashSet<>();

  private final Map<RowPart, Cell> replacements = new HashMap<>();

  private RowPlan(Row row, long baseTime, FsckOptions options) {
    this.row = row;
    this.options = options;
    this.baseTime = baseTime;
  }

  /**
   * @param baseTime the row's base time, in seconds
   * @param onlyAnnotations whether nothing else belongs in the row
   * @param moves whether the whole row is moved, so that points beyond its hour are not a flaw
   * @param kept cells that must not be touched
   */
  static RowPlan of(
      Row row,
      long baseTime,
      boolean onlyAnnotations,
      boolean moves,
      Set<Integer> kept,
      FsckOptions options) {
    RowPlan plan = new RowPlan(row, baseTime, options);
    for (int i = 0; i < row.size(); i++) {
      RowPart part = new RowPart(row, i);
      plan.parts.add(part);
      if (onlyAnnotations && part.cell.kind() != CellKind.ANNOTATION) {
        plan.misplaced(part);
      } else {
        plan.judge(part, moves);
      }
      if (kept.contains(i)) {
        plan.held.add(part);
      }
    }
    if (plan.hasRepeatedInstants()) {
      plan.judgeInstants();
    }
    plan.writeReplacements();
    return plan;
  }

  private void misplaced(RowPart part) {
    boolean permitted =
        problem(FsckKind.UNKNOWN_COLUMN, part, "not an annotation, in a row of them");
    part.fate = permitted ? RowPart.Fate.GOES : RowPart.Fate.STAYS;
  }

  private boolean problem(FsckKind kind, RowPart part, String text) {
    boolean permitted = options.permits(kind);
    problems.add(new Problem(kind, part.qualifier, text, permitted, Set.of(part)));
    return permitted;
  }

  private void judge(RowPart part, boolean moves) {
    boolean repairs = false;
    for (CellFlaw flaw : part.cell.flaws()) {
      FsckKind kind = FsckKind.of(flaw.kind());
      if (kind != FsckKind.OUTSIDE_HOUR || !moves) {
        repairs |= problem(kind, part, flaw.text());
      }
    }
    part.fate = fate(part, repairs);
    if (part.cell.holdsPoints() && part.fate != RowPart.Fate.GOES) {
      part.takePoints();
      if (!moves && part.fate == RowPart.Fate.REWRITTEN) {
        part.points.stream()
            .filter(point -> point.offset() >= Timestamps.ROW_MILLIS)
            .forEach(part.outside::add);
        part.points.removeAll(part.outside);
      }
    }
  }

  private RowPart.Fate fate(RowPart part, boolean repairs) {
    if (part.cell.has(CellFlaw.Kind.UNKNOWN_COLUMN)) {
      return repairs ? RowPart.Fate.GOES : RowPart.Fate.STAYS;
    }
    if (part.cell.has(CellFlaw.Kind.BAD_VALUE)) {
      return repairs ? RowPart.Fate.GOES : RowPart.Fate.STAYS_CORRUPT;
    }
    if (part.cell.isCorrupt()) {
      if (options.permits(FsckAction.SALVAGE)) {
        return RowPart.Fate.REWRITTEN;
      }
      boolean goes =
          part.cell.kind() == CellKind.COMPACTED && options.permits(FsckAction.DELETE_BAD_COMPACTS);
      return goes ? RowPart.Fate.GOES : RowPart.Fate.STAYS_CORRUPT;
    }
    return repairs ? RowPart.Fate.REWRITTEN : RowPart.Fate.STAYS;
  }

  /** A cheap check; the result is false for nearly every row. */
  private boolean hasRepeatedInstants() {
    int[] offsets =
        parts.stream()
            .flatMap(part -> part.points.stream())
            .mapToInt(StoredPoint::offset)
            .toArray();
    Arrays.sort(offsets);
    for (int i = 1; i < offsets.length; i++) {
      if (offsets[i] == offsets[i - 1]) {
        return true;
      }
    }
    return false;
  }

  private void judgeInstants() {
    for (List<StoredPoint> members : RowPart.byOffset(parts).values()) {
      if (members.size() > 1) {
        judgeInstant(members);
      }
    }
  }

  private void judgeInstant(List<StoredPoint> members) {
    StoredPoint first = members.get(0);
    boolean same = members.stream().allMatch(member -> member.hasValueOf(first));
    boolean corrupt = members.stream().anyMatch(member -> member.part().isCorrupt());
    if (same && corrupt) {
      return; // the corrupt cell must be handled first, so that it is not the only one left
    }
    FsckKind kind = same ? FsckKind.REPEATED_POINT : FsckKind.DUPLICATE;
    boolean permitted = !corrupt && options.permits(kind);
    Keep keep = same ? Keep.NEWEST : options.keep();
    int winner = keep.winner(members);
    Set<RowPart> losers = new HashSet<>();
    byte[] cell = null;
    for (int i = 0; i < members.size(); i++) {
      StoredPoint member = members.get(i);
      if (i != winner) {
        cell = cell == null ? member.part().qualifier : cell;
        losers.add(member.part());
        if (permitted) {
          member.part().drop(member);
        }
      }
    }
    if (permitted) {
      relied.add(members.get(winner).part());
    }
    problems.add(new Problem(kind, cell, text(members, winner, same), permitted, losers));
  }

  private String text(List<StoredPoint> members, int winner, boolean same) {
    StoredPoint kept = members.get(winner);
    long millis = baseTime * 1000 + kept.offset();
    StringBuilder text = new StringBuilder("at ").append(millis).append(" ms");
    for (StoredPoint member : members) {
      text.append(", ").append(member.text());
      text.append(" in cell ").append(HEX.formatHex(member.part().qualifier));
    }
    return same ? text.toString() : text + "; " + kept.text() + " is kept";
  }

  /**
   * Plans the replacements. A part can't be rewritten if its new qualifier is that of a cell that
   * stays.
   */
  private void writeReplacements() {
    boolean shorten = options.permits(FsckAction.COMPACT);
    for (RowPart part : parts) {
      Cell cell = part.replacement(shorten);
      if (cell != null && !held.contains(part)) {
        replacements.put(part, cell);
      }
    }
    boolean changed = true;
    while (changed) {
      changed = false;
      Set<Bytes> taken = new HashSet<>();
      for (RowPart part : parts) {
        Cell cell = replacements.get(part);
        if (cell != null && (!taken.add(new Bytes(cell.qualifier())) || isOccupied(part, cell))) {
          replacements.remove(part);
          held.add(part);
          changed = true;
        }
      }
    }
  }

  /** Whether a cell that stays has the qualifier of a new cell. */
  private boolean isOccupied(RowPart part, Cell cell) {
    int index = row.indexOf(cell.qualifier());
    return index >= 0 && index != part.index && !leaves(parts.get(index));
  }

  /** Whether a cell is removed, or replaced by one with another qualifier. */
  private boolean leaves(RowPart part) {
    if (part.fate == RowPart.Fate.STAYS || part.isCorrupt() || held.contains(part)) {
      return false;
    }
    Cell replacement = replacements.get(part);
    return replacement == null || !Arrays.equals(replacement.qualifier(), part.qualifier);
  }

  /** Whether the plan changes anything. */
  boolean changesAnything() {
    return !changed().isEmpty();
  }

  /** The cells that are removed or replaced. */
  List<Integer> changed() {
    return parts.stream().filter(this::changes).map(part -> part.index).toList();
  }

  private boolean changes(RowPart part) {
    return leaves(part) || replacements.containsKey(part);
  }

  /** The cells on which the plan depends: those that change and those it relies on. */
  List<Integer> observed() {
    return parts.stream()
        .filter(part -> changes(part) || relied.contains(part))
        .map(part -> part.index)
        .toList();
  }

  /** The cells that replace the observed ones, including cells that the plan only relies on. */
  List<Cell> coming() {
    List<Cell> coming = new ArrayList<>();
    for (RowPart part : parts) {
      Cell replacement = replacements.get(part);
      if (replacement != null) {
        coming.add(replacement);
      } else if (relied.contains(part) && !leaves(part)) {
        coming.add(row.cell(part.index));
      }
    }
    return coming;
  }

  /** The points that must be put into other rows before this row is changed, by their cell. */
  Map<Integer, List<StoredPoint>> outside() {
    Map<Integer, List<StoredPoint>> outside = new TreeMap<>();
    for (RowPart part : parts) {
      if (!part.outside.isEmpty() && !held.contains(part)) {
        outside.put(part.index, part.outside);
      }
    }
    return outside;
  }

  List<RowPart> parts() {
    return parts;
  }

  List<Problem> problems() {
    return problems;
  }

  /** Whether the plan repairs a problem. */
  boolean repairs(Problem problem) {
    return problem.permitted()
        && problem.parts().stream().noneMatch(part -> held.contains(part) || part.isCorrupt());
  }
}
