package org.hourstone.query;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.rewrite.CompactionListener;
import org.hourstone.rewrite.CompactionScope;
import org.hourstone.testkit.store.ModelStore;
import org.junit.jupiter.api.Test;

/** A query of few points costs little beside them. */
class SmallQueryTest {
  private static final Instant START = Instant.ofEpochSecond(1_500_001_200);
  private static final int POINTS = 360;

  /**
   * Of two hours decoded, one is kept: 7 KB; in columns for both it would be 13, growing ones 70.
   */
  private static final long MOST_BYTES = 34_000;

  @Test
  void theQueryOfAnHourAllocatesLittleMoreThanItsPoints() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long own = Thread.currentThread().getId();
    TsdbOptions options = TsdbOptions.defaults().with(Settings.COMPACTION_BACKGROUND, "false");
    try (Tsdb db = Tsdb.over(new ModelStore(InstantSource.system()), options)) {
      for (int point = 0; point < 2 * POINTS; point++) {
        db.put("m", START.plusSeconds(10L * point), point % 100, Tags.of("host", "a"));
      }
      db.flush();
      db.compactor().run(CompactionScope.everything(), CompactionListener.NONE);
      Query query = Query.parse("sum:m{host=a}").between(START, START.plusSeconds(3599));
      long least = Long.MAX_VALUE;
      AtomicLong read = new AtomicLong();
      for (int run = 0; run < 50; run++) {
        long before = threads.getThreadAllocatedBytes(own);
        try (SeriesCursor cursor = db.query(query)) {
          cursor.forEach(series -> read.addAndGet(series.size()));
        }
        least = Math.min(least, threads.getThreadAllocatedBytes(own) - before);
      }
      assertThat(read).hasValue(50L * POINTS);
      assertThat(least).isLessThan(MOST_BYTES);
    }
  }
}
