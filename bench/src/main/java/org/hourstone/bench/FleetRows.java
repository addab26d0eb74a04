package org.hourstone.bench;

import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.hourstone.Tsdb;
import org.hourstone.write.PointBatch;
import org.hourstone.write.Receipt;
import org.jspecify.annotations.Nullable;

/**
 * One metric of many hosts, each hour of each host in one cell, as compaction leaves it.
 *
 * @param hosts how many, each a series with the tags host and dc
 * @param hours for how long, from {@link DevopsWorkload#START} on
 * @param stepSeconds between two points of a series
 */
record FleetRows(int hosts, int hours, int stepSeconds) {
  static final String METRIC = "fleet.load";
  private static final int HOUR = 3600;
  private static final int DATA_CENTERS = 10;

  /** Of the arguments {@code series}, {@code hours} and {@code step}. */
  static FleetRows of(Arguments arguments) {
    return new FleetRows(
        arguments.number("series"), arguments.number("hours"), arguments.number("step"));
  }

  long points() {
    return (long) hosts * hours * (HOUR / stepSeconds);
  }

  /** Writes all hosts hour by hour, in the order of arrival. */
  void writeTo(Tsdb db) {
    AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();
    Receipt receipt =
        new Receipt() {
          @Override
          public void stored(long token) {}

          @Override
          public void failed(long token, RuntimeException reason) {
            failure.compareAndSet(null, reason);
          }
        };
    for (int hour = 0; hour < hours; hour++) {
      long base = DevopsWorkload.START + (long) hour * HOUR;
      for (int host = 0; host < hosts; host++) {
        PointBatch batch =
            db.writer().batch(METRIC, Map.of("host", "h" + host, "dc", "dc" + host % DATA_CENTERS));
        for (int second = 0; second < HOUR; second += stepSeconds) {
          batch.add(base + second, (host * 31L + hour * 7L + second / stepSeconds) % 100);
        }
        batch.persist(receipt, hour);
      }
    }
    db.flush();
    RuntimeException failed = failure.get();
    if (failed != null) {
      throw failed;
    }
  }
}
