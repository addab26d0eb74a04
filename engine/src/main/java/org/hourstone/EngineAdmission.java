package org.hourstone;

import org.hourstone.health.DiskReserve;
import org.hourstone.kv.Family;
import org.hourstone.retention.Retention;
import org.hourstone.write.Admission;

/** Values are accepted while the disk has room, into rows that have not expired. */
record EngineAdmission(DiskReserve disk, Retention retention) implements Admission {
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
  }
}
