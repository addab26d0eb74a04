package org.hourstone;

import java.util.List;
import org.hourstone.health.DiskReserve;
import org.hourstone.index.SeriesIndex;
import org.hourstone.internal.UidText;
import org.hourstone.kv.Family;
import org.hourstone.retention.Retention;
import org.hourstone.uid.UidKind;
import org.hourstone.uid.UidTable;
import org.hourstone.write.Admission;
import org.jspecify.annotations.Nullable;

/**
 * Values are accepted while the disk has room, into rows that have not expired, of series that
 * exist or may be created.
 */
record EngineAdmission(DiskReserve disk, Retention retention, SeriesIndex index, UidTable uids)
    implements Admission {
  @Override
  public void admit() {
    disk.admit();
  }

  /** As both, for one value. */
  void admitInto(Family family, byte[] row) {
    admit();
    admitRow(family, row);
  }

  @Override
  public void admitRow(Family family, byte[] row) {
    retention.admit(family, row);
    index.uidRemoval().admitRow(row);
    index.limit().admitRow(row, this::nameOf);
  }

  private String nameOf(byte[] metric) {
    return uids.names(UidKind.METRIC, List.of(metric)).get(0).orElse(UidText.format(metric));
  }

  @Override
  public boolean limitsSeries() {
    return index.limit().isOn();
  }

  @Override
  public long room() {
    return index.limit().room();
  }

  @Override
  public long room(String metric, byte @Nullable [] uid) {
    return index.limit().room(metric, uid);
  }

  @Override
  public void admitNames(String metric, byte @Nullable [] uid) {
    index.limit().admitNames(metric, uid);
  }

  @Override
  public void admitSeries(byte[] tsuid) {
    index.limit().admit(tsuid, this::nameOf);
  }
}
