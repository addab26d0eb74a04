package org.hourstone.write;

import static org.assertj.core.api.Assertions.assertThat;

import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.junit.jupiter.api.Test;

/** Points of one timestamp that arrive together where each is a cell, as in strict mode. */
class RepeatedPointsWriterTest extends WriterCase {
  private static final int TIMES = 10;

  private static TsdbOptions strict() {
    return TsdbOptions.openTsdbDefaults()
        .with(Settings.CREATE_TABLES, "true")
        .with(Settings.AUTO_CREATE_METRICS, "true");
  }

  /** Otherwise a client that repeats a point would make the store work for each of them. */
  @Test
  void thoseOfOneCellAreWrittenByOneCallOfTheStore() throws Exception {
    assertThat(callsForPoints(strict(), false)).isEqualTo(1);
  }

  /** Readers must find both, and fail as OpenTSDB does. */
  @Test
  void thoseOfSeveralCellsAreWrittenInTheirOrder() throws Exception {
    assertThat(callsForPoints(strict(), true)).isEqualTo(2);
  }

  private int callsForPoints(TsdbOptions options, boolean decimals) throws Exception {
    try (Tsdb db = open(options)) {
      Gate gate = store.gate(POINTS, () -> {});
      db.writer().put("first", A, HOUR, 1L, told, 0);
      gate.awaitReached();
      SeriesWriter series = db.writer().series("m", A);
      for (int i = 1; i <= TIMES; i++) {
        series.put(HOUR, i, told, i);
      }
      if (decimals) {
        series.put(HOUR, 0.5, told, TIMES + 1);
      }
      gate.open();
      db.writer().flush();
      assertThat(told.stored).hasSize(TIMES + (decimals ? 2 : 1));
      assertThat(told.stored.values()).containsOnly(1);
      return store.batches.get() - 1;
    }
  }
}
