package org.hourstone.bench;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.hourstone.Tsdb;
import org.hourstone.write.SeriesPoints;
import org.hourstone.write.SeriesWriter;

/**
 * The points of a workload in memory, as a program would have them that writes through handles.
 *
 * @param tags of each host, as import lines have them
 * @param values all series of one time, then of the next
 */
record Points(DevopsWorkload workload, List<String> tags, double[] values) {
  private static final int HOUR = 3600;

  /** Handles of all series, by number. */
  SeriesWriter[] handles(Tsdb db) {
    int metrics = DevopsWorkload.METRICS.size();
    return IntStream.range(0, workload.series())
        .mapToObj(
            i ->
                db.writer()
                    .series(DevopsWorkload.METRICS.get(i % metrics), map(tags.get(i / metrics))))
        .toArray(SeriesWriter[]::new);
  }

  private static Map<String, String> map(String tags) {
    return Stream.of(tags.trim().split(" "))
        .map(tag -> tag.split("=", 2))
        .collect(Collectors.toMap(tag -> tag[0], tag -> tag[1]));
  }

  /**
   * Puts every point by the handle of its series; returns when all are stored. Before each new hour
   * it waits for the points of the hour before, as their rows become due then.
   *
   * @param clock the database's, in milliseconds, which is set to the time of each point
   */
  void put(SeriesWriter[] handles, Tsdb db, AtomicLong clock) throws InterruptedException {
    Stored stored = new Stored();
    SeriesPoints to = db.writer().seriesPoints(stored);
    for (int i = 0; i < values.length; i++) {
      long time = DevopsWorkload.START + (long) (i / handles.length) * workload.step();
      if (time * 1000 != clock.get()) {
        if (time % HOUR == 0) {
          to.send();
          stored.await(i);
        }
        clock.set(time * 1000);
      }
      SeriesWriter handle = handles[i % handles.length];
      if (workload.decimals()) {
        to.add(handle, time, values[i], 0);
      } else {
        to.add(handle, time, (long) values[i], 0);
      }
    }
    to.send();
    stored.await(values.length);
  }
}
