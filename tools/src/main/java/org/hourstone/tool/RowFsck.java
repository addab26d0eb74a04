package org.hourstone.tool;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.codec.EventQualifier;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.Timestamps;
import org.hourstone.kv.Row;
import org.hourstone.kv.StoreException;
import org.hourstone.rewrite.CompactionOutcome.Kind;
import org.hourstone.rewrite.RowCompactor;
import org.hourstone.rewrite.RowPart;
import org.hourstone.rewrite.StoredPoint;
import org.hourstone.tool.FsckFinding.State;
import org.hourstone.uid.NoSuchUidException;
import org.hourstone.uid.SeriesName;
import org.jspecify.annotations.Nullable;

/**
 * Checks rows one after the other and makes the permitted repairs. Thread-safe: rows are repaired
 * concurrently, but only one thread at a time puts points into other rows. If two threads put
 * points with the same timestamp into one row, both points would stay.
 */
final class RowFsck {
  private final RowKey keys;
  private final RowNames names;
  private final RowRepair repair;
  private final RowCompactor compactor;
  private final FsckOptions options;
  private final OneAtATime<FsckListener> listener;
  private final FsckTally tally;
  private final Object moving = new Object();

  RowFsck(
      RowKey keys,
      RowNames names,
      RowRepair repair,
      RowCompactor compactor,
      FsckOptions options,
      OneAtATime<FsckListener> listener,
      FsckTally tally) {
    this.keys = keys;
    this.names = names;
    this.repair = repair;
    this.compactor = compactor;
    this.options = options;
    this.listener = listener;
    this.tally = tally;
  }

  /** The reason why a row with this key can't be read at all, or null. */
  @Nullable FsckKind unreadable(byte[] key) {
    if (names.isGlobal(key)) {
      return null;
    }
    if (!keys.isSeriesRow(key)) {
      return FsckKind.BAD_KEY;
    }
    return namelessUid(key) == null ? null : FsckKind.ORPHAN;
  }

  /** Whether a row with a readable key belongs elsewhere. */
  boolean isMisplaced(byte[] key) {
    return !Arrays.equals(properKey(key), key);
  }

  private byte[] properKey(byte[] key) {
    return keys.rowKey(keys.tsuid(key), Timestamps.baseTime(keys.baseTime(key)));
  }

  private @Nullable String namelessUid(byte[] key) {
    try {
      SeriesName unused = names.series(key);
      return null;
    } catch (NoSuchUidException e) {
      return e.getMessage();
    }
  }

  void check(Row row) {
    tally.row(row.size());
    byte[] key = row.key();
    FsckKind unreadable = unreadable(key);
    if (unreadable != null) {
      boolean goes =
          options.permits(unreadable) && (!options.fix() || attempt(row, () -> remove(row), false));
      String nameless = unreadable == FsckKind.ORPHAN ? namelessUid(key) : null;
      String text = nameless == null ? "a key of " + key.length + " bytes" : nameless;
      found(unreadable, row, null, text, goes);
      if (goes || unreadable == FsckKind.BAD_KEY) {
        return;
      }
    }
    byte[] properKey = properKey(key);
    boolean moves = !Arrays.equals(properKey, key);
    RowPlan plan = plan(row, moves, Set.of());
    plan.parts().forEach(tally::count);
    boolean sound = checkCells(row, plan, moves);
    if (moves) {
      sound = move(row, properKey, sound);
    }
    if (sound) {
      compact(properKey);
    }
  }

  /**
   * Repairs a row; reports it if the store refuses the repair or the row exceeds the store's
   * limits.
   */
  private <T> T attempt(Row row, Supplier<T> repairing, T ifRefused) {
    try {
      return repairing.get();
    } catch (StoreException e) {
      if (e.outcome() != StoreException.Outcome.REJECTED) {
        throw e;
      }
      return refused(row, e, ifRefused);
    } catch (IllegalArgumentException e) {
      return refused(row, e, ifRefused);
    }
  }

  private <T> T refused(Row row, RuntimeException refusal, T result) {
    found(FsckKind.NOT_REPAIRED, row, null, String.valueOf(refusal.getMessage()), false);
    return result;
  }

  private boolean remove(Row row) {
    repair.remove(row);
    return true;
  }

  private void keepsChanging(Row row) {
    found(FsckKind.NOT_REPAIRED, row, null, "it changed while it was checked", false);
  }

  private void compact(byte[] key) {
    if (!options.fix() || !options.permits(FsckAction.COMPACT) || names.isGlobal(key)) {
      return;
    }
    try {
      Row row = Row.empty(key);
      if (attempt(row, () -> compactor.compact(key, repair::removing).kind(), Kind.UNCHANGED)
          == Kind.REWRITTEN) {
        tally.compacted();
      }
    } catch (CorruptDataException e) {
      // Another client has changed the row since it was checked: the next run will find it.
    }
  }

  /**
   * Checks the cells of a row.
   *
   * @return whether no error is left, or would be left
   */
  private boolean checkCells(Row row, RowPlan plan, boolean moves) {
    RowPlan left =
        options.fix() && plan.changesAnything()
            ? attempt(row, () -> repair(row.key(), moves), plan)
            : plan;
    boolean sound = true;
    for (RowPlan.Problem problem : left.problems()) {
      boolean repairs = left.repairs(problem) && !options.fix();
      found(problem.kind(), row, problem.qualifier(), problem.text(), repairs);
      sound &= repairs || !problem.kind().isError();
    }
    return sound;
  }

  /**
   * Reads a row again and repairs it until no permitted repair is left or the row keeps changing.
   *
   * @return the remaining plan
   */
  private RowPlan repair(byte[] key, boolean moves) {
    for (int i = 0; ; i++) {
      Row row = repair.read(key);
      RowPlan todo = feasible(row, moves);
      if (!todo.changesAnything()) {
        return todo;
      }
      if (i == RowRepair.ATTEMPTS) {
        keepsChanging(row);
        return todo;
      }
      if (repair.apply(row, todo)) {
        todo.problems().stream()
            .filter(todo::repairs)
            .forEach(done -> found(done.kind(), row, done.qualifier(), done.text(), true));
      }
    }
  }

  /**
   * Puts points of a row into the rows they belong to, after repairing those rows.
   *
   * @return whether all points are in those rows now
   */
  private boolean placePoints(byte[] key, List<StoredPoint> points) {
    synchronized (moving) {
      List<byte[]> targets = new ArrayList<>();
      boolean all =
          repair.place(
              keys.tsuid(key),
              keys.baseTime(key),
              points,
              target -> {
                if (hasNoError(repair(target, false))) {
                  targets.add(target);
                }
              });
      targets.forEach(this::compact);
      return all;
    }
  }

  private static boolean hasNoError(RowPlan plan) {
    return plan.problems().stream().noneMatch(problem -> problem.kind().isError());
  }

  private RowPlan plan(Row row, boolean moves, Set<Integer> kept) {
    byte[] key = row.key();
    return RowPlan.of(row, keys.baseTime(key), names.isGlobal(key), moves, kept, options);
  }

  /**
   * A plan that can be executed immediately. Points beyond the row's hour are put into their own
   * rows first; if that is not possible, their cell stays.
   */
  private RowPlan feasible(Row row, boolean moves) {
    RowPlan plan = plan(row, moves, Set.of());
    Set<Integer> kept = new HashSet<>();
    plan.outside()
        .forEach(
            (cell, points) -> {
              if (!placePoints(row.key(), points)) {
                kept.add(cell);
              }
            });
    return kept.isEmpty() ? plan : plan(row, moves, kept);
  }

  /**
   * Moves a row to where it belongs, unless its cells have errors.
   *
   * @return whether no cell of it is left, or would be left
   */
  private boolean move(Row row, byte[] properKey, boolean sound) {
    byte[] key = row.key();
    boolean moved = sound && (!options.fix() || attempt(row, () -> moveCells(row), false));
    int salt = keys.schema().saltWidth();
    if (!Arrays.equals(key, 0, salt, properKey, 0, salt)) {
      found(FsckKind.WRONG_SALT, row, null, "its salt is not that of its series", moved);
    }
    if (keys.baseTime(key) != keys.baseTime(properKey)) {
      String text = "its base time " + keys.baseTime(key) + " is not the start of an hour";
      found(FsckKind.UNALIGNED_BASE_TIME, row, null, text, moved);
    }
    return moved;
  }

  /** Moves the cells; returns whether all were moved. */
  private boolean moveCells(Row asChecked) {
    for (int i = 0; i < RowRepair.ATTEMPTS; i++) {
      Row row = repair.read(asChecked.key());
      List<Integer> placed = new ArrayList<>();
      for (RowPart part : plan(row, true, Set.of()).parts()) {
        if (place(row, part)) {
          placed.add(part.index);
        }
      }
      if (repair.remove(row, placed)) {
        return placed.size() == row.size();
      }
    }
    keepsChanging(asChecked);
    return false;
  }

  private boolean place(Row row, RowPart part) {
    long base = keys.baseTime(row.key());
    if (part.cell.holdsPoints()) {
      return !part.cell.isCorrupt() && placePoints(row.key(), part.points);
    }
    boolean isEvent = part.qualifier.length == 3 || part.qualifier.length == 5;
    if (!isEvent) {
      // Its meaning is unknown: its row's salt may change, but not its base time.
      return base % Timestamps.ROW_SECONDS == 0 && place(row, part, base, part.qualifier);
    }
    boolean millis = EventQualifier.isMillis(part.qualifier);
    long time = base * 1000 + EventQualifier.offsetMillis(part.qualifier);
    long timestamp = millis ? time : time / 1000;
    return Timestamps.isMillis(timestamp) == millis
        && time / 1000 <= Timestamps.MAX_SECONDS
        && place(
            row,
            part,
            Timestamps.baseTime(timestamp),
            EventQualifier.encode(part.qualifier[0], timestamp));
  }

  private boolean place(Row row, RowPart part, long baseTime, byte[] qualifier) {
    byte[] key = keys.rowKey(keys.tsuid(row.key()), baseTime);
    return repair.placeObject(key, qualifier, row.value(part.index), part.writeTime);
  }

  private void found(
      FsckKind kind, Row row, byte @Nullable [] qualifier, String text, boolean repaired) {
    State state = repaired ? options.fix() ? State.FIXED : State.FIXABLE : State.REMAINS;
    FsckFinding finding =
        new FsckFinding(kind, row.key(), names.place(row.key()), qualifier, text, state);
    tally.count(finding);
    listener.call(to -> to.found(finding));
  }
}
