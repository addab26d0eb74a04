package org.hourstone.testing.life;

import java.util.EnumSet;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.hourstone.Tsdb;
import org.hourstone.codec.Qualifier;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.Value;
import org.hourstone.kv.Family;
import org.hourstone.kv.Row;
import org.hourstone.rewrite.Keep;
import org.hourstone.testing.life.LifeModel.Series;
import org.hourstone.tool.Admin;
import org.hourstone.tool.FsckAction;
import org.hourstone.tool.FsckFinding;
import org.hourstone.tool.FsckListener;
import org.hourstone.tool.FsckOptions;
import org.hourstone.tool.FsckReport;

/** Cells that no writer writes, and their repair. */
final class CorruptCells {
  private final Tsdb db;
  private final RandomGenerator random;

  CorruptCells(Tsdb db, RandomGenerator random) {
    this.db = db;
    this.random = random;
  }

  private byte[] row(Series series, long hour) {
    RowKey keys = db.engine().keys();
    return keys.rowKey(
        db.engine().seriesNames().tsuid(series.metric(), Map.of("host", series.host())), hour);
  }

  /** Puts a second cell of a timestamp; or the only one. */
  void duplicate(Series series, long millis, long value) {
    long hour = LifeModel.hour(millis);
    byte[] qualifier = Qualifier.encodeMillis((int) (millis - hour * 1000), 3);
    put(row(series, hour), qualifier, Value.encode(3, value));
  }

  /**
   * Puts a cell whose value has another length than its qualifier says.
   *
   * @param isTooLong whether it has more bytes: then it is read as a point of 0, until it is
   *     repaired; otherwise its row can't be read
   */
  void corrupt(Series series, long millis, boolean isTooLong) {
    long hour = LifeModel.hour(millis);
    int flags = random.nextInt(2) * 8 + 3;
    byte[] qualifier = Qualifier.encodeMillis((int) (millis - hour * 1000), flags);
    put(row(series, hour), qualifier, new byte[isTooLong ? 5 : 3]);
  }

  private void put(byte[] row, byte[] qualifier, byte[] value) {
    db.engine().store().put(db.engine().tables().points(), row, qualifier, value);
  }

  static void repair(Tsdb db) {
    FsckReport report =
        Admin.of(db)
            .fsck(
                new FsckOptions(true, EnumSet.allOf(FsckAction.class), Keep.NEWEST, 1),
                new FsckListener() {
                  @Override
                  public void found(FsckFinding finding) {}

                  @Override
                  public void removing(Family family, Row cells) {}
                })
            .fullScan(null);
    if (report.errorsLeft() > 0) {
      throw new AssertionError("fsck left " + report);
    }
  }
}
