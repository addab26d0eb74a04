package org.hourstone.bench;

import java.util.Map;
import org.hourstone.Tsdb;
import org.hourstone.write.PointBatch;

/**
 * One metric of many series, each hour of each in one cell, as compaction leaves it.
 *
 * @param series how many
 * @param hours for how long, from {@link DevopsWorkload#START} on
 * @param stepSeconds between two points of a series
 * @param lasting whether all series last for all hours, with the tags host and dc; else some begin
 *     each hour and last for that, as those of pods and jobs do, with the tags pod and job
 */
record FleetRows(int series, int hours, int stepSeconds, boolean lasting) {
  static final String METRIC = "fleet.load";
  private static final int HOUR = 3600;
  private static final int DATA_CENTERS = 10;
  private static final int NEW_ONES_PER_HOUR = 200;

  FleetRows(int series, int hours, int stepSeconds) {
    this(series, hours, stepSeconds, true);
  }

  /** Series that come and go. */
  static FleetRows comingAndGoing(int series, int stepSeconds) {
    return new FleetRows(series, (series - 1) / NEW_ONES_PER_HOUR + 1, stepSeconds, false);
  }

  /** Of the arguments {@code series}, {@code hours} and {@code step}. */
  static FleetRows of(Arguments arguments) {
    return new FleetRows(
        arguments.number("series"), arguments.number("hours"), arguments.number("step"));
  }

  long points() {
    return (long) series * (lasting ? hours : 1) * (HOUR / stepSeconds);
  }

  /** Writes all series hour by hour, in the order of arrival. */
  void writeTo(Tsdb db) {
    Stored stored = new Stored();
    for (int hour = 0; hour < hours; hour++) {
      long base = DevopsWorkload.START + (long) hour * HOUR;
      int first = lasting ? 0 : hour * NEW_ONES_PER_HOUR;
      int end = lasting ? series : Math.min(series, first + NEW_ONES_PER_HOUR);
      for (int one = first; one < end; one++) {
        PointBatch batch = db.writer().batch(METRIC, tags(one));
        for (int second = 0; second < HOUR; second += stepSeconds) {
          batch.add(base + second, (one * 31L + hour * 7L + second / stepSeconds) % 100);
        }
        batch.persist(stored, hour);
      }
    }
    db.flush();
    long batches = (long) series * (lasting ? hours : 1);
    if (stored.points() != batches) {
      throw new IllegalStateException(stored.points() + " of " + batches + " batches");
    }
  }

  private Map<String, String> tags(int one) {
    return lasting
        ? Map.of("host", "h" + one, "dc", "dc" + one % DATA_CENTERS)
        : Map.of("pod", "p" + one % NEW_ONES_PER_HOUR, "job", "j" + one / NEW_ONES_PER_HOUR);
  }
}
