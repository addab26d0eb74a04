package org.hourstone.tool;

import java.util.function.Consumer;
import org.hourstone.Engine;
import org.hourstone.rollup.OwnRollups;
import org.hourstone.rollup.RolledUpCheck;
import org.hourstone.tool.FsckFinding.State;

/**
 * Finds what must not be in the tables of the rollups that a database computes. It repairs nothing:
 * {@code rollup --verify} does, as it has the points.
 */
final class RollupFsck {
  private final Engine engine;
  private final OwnRollups rollups;

  RollupFsck(Engine engine, OwnRollups rollups) {
    this.engine = engine;
    this.rollups = rollups;
  }

  /**
   * Checks all rows.
   *
   * @param beforeRow ends the check if it throws
   */
  void check(Runnable beforeRow, Consumer<FsckFinding> found) {
    RowNames names = new RowNames(engine.keys(), engine.uids());
    rollups.check(
        beforeRow,
        flaw ->
            found.accept(
                new FsckFinding(
                    kind(flaw.kind()),
                    flaw.row(),
                    names.place(flaw.row()),
                    flaw.qualifier(),
                    flaw.text(),
                    State.REMAINS)));
  }

  private static FsckKind kind(RolledUpCheck.Kind kind) {
    return switch (kind) {
      case CORRUPT -> FsckKind.BAD_ROLLUP;
      case WITHOUT_POINTS -> FsckKind.ROLLUP_WITHOUT_POINTS;
      case STRAY_MARK -> FsckKind.STRAY_MARK;
    };
  }
}
