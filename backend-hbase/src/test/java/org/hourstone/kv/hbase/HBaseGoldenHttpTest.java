package org.hourstone.kv.hbase;

import static java.time.temporal.ChronoUnit.HOURS;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.LockSupport;
import org.hourstone.hbase.NeedsHBase;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.testing.golden.GoldenHttpContract;
import org.hourstone.testkit.StoreFixture;

@NeedsHBase
class HBaseGoldenHttpTest extends GoldenHttpContract {
  /** More than the sequence takes on a busy machine. */
  private static final Duration WHOLE_SEQUENCE = Duration.ofMinutes(1);

  @Override
  protected KeyValueStore open(StoreFixture fixture) {
    begin();
    return SharedTables.open(fixture);
  }

  /**
   * The servers' clock can't be set, and the sequence has to end in the hour in which it begins:
   * last points are searched for in the hour in which they were written. So it does not begin in an
   * hour's last minute.
   */
  private static void begin() {
    Instant nextHour = Instant.now().truncatedTo(HOURS).plus(1, HOURS);
    if (Instant.now().plus(WHOLE_SEQUENCE).isAfter(nextHour)) {
      while (Instant.now().isBefore(nextHour)) {
        LockSupport.parkUntil(nextHour.toEpochMilli());
      }
    }
  }
}
