package org.hourstone.query.run;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import org.hourstone.query.QueryContext;
import org.hourstone.query.QueryThreads;
import org.hourstone.query.plan.Plan;
import org.hourstone.query.plan.RolledLegs;
import org.hourstone.query.rows.CorruptionTotal;
import org.hourstone.series.MemoryLease;
import org.jspecify.annotations.Nullable;

/**
 * Reads a query whose hours are rolled up in part, leg by leg, and combines its series. For one
 * thread.
 */
final class RolledReading {
  private final Plan plan;
  private final QueryContext use;
  private final QueryThreads threads;
  private final Consumer<Collection<byte[]>> scanned;

  RolledReading(
      Plan plan, QueryContext use, QueryThreads threads, Consumer<Collection<byte[]>> scanned) {
    this.plan = plan;
    this.use = use;
    this.threads = threads;
    this.scanned = scanned;
  }

  /** Reads the rows; null if it is better read from points only. */
  RowReading.@Nullable Result read() {
    try (MemoryLease memory = use.memory().child()) {
      RolledLegs legs = RolledLegs.of(plan, memory, use::check);
      return legs == null ? null : read(legs);
    }
  }

  private RowReading.@Nullable Result read(RolledLegs legs) {
    int salts = RowReading.salts(plan, threads);
    QueryContext.Counts before = use.counts();
    RowReading.Result result = read(legs, salts);
    if (result == null) {
      use.resetTo(before);
      result = read(legs, 1);
    }
    return result;
  }

  /**
   * @param salts how many parts of the salt buckets are read apart
   * @return null if a series is in two of these
   */
  private RowReading.@Nullable Result read(RolledLegs legs, int salts) {
    Plan together = legs.together();
    CorruptionTotal skipped = new CorruptionTotal();
    List<SeriesScan> scans = new ArrayList<>(1);
    try (SliceReaders readers = new SliceReaders(threads)) {
      scans.add(new SeriesScan(QueryPart.of(together, use, together), false, salts > 1));
      for (RolledLegs.Leg leg : legs.legs()) {
        QueryPart part = QueryPart.of(leg.plan(), use, leg.plan());
        RowReading reading = new RowReading(leg.plan(), List.of(part), threads, scanned);
        if (!reading.pump(scans, skipped, readers, salts, leg.untilSeconds())) {
          return null;
        }
      }
      RowReading.Result result = new RowReading.Result(scans.get(0).finish(), skipped.sum());
      scans.get(0).keepGroups();
      return result;
    } finally {
      scans.forEach(SeriesScan::close);
    }
  }
}
