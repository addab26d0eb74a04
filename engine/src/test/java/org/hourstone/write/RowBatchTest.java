package org.hourstone.write;

import static org.assertj.core.api.Assertions.assertThat;

import org.hourstone.codec.RowKey;
import org.hourstone.codec.Schema;
import org.hourstone.kv.Family;
import org.junit.jupiter.api.Test;

class RowBatchTest {
  private static final RowKey KEYS = new RowKey(Schema.DEFAULT);

  private static Series series() {
    return new Series(KEYS, new byte[9], 0, 0);
  }

  private static RowBatch row(int hour) {
    return new RowBatch(new RowId(new Family("tsdb", "t"), new byte[] {(byte) hour}), hour, 0);
  }

  /** There is one for each time its names were resolved: to look through them costs each point. */
  @Test
  void aRowKnowsOneSeriesObjectHoweverManyOpenedIt() {
    RowBatch row = row(0);
    Series first = series();
    Series second = series();

    row.open(first);
    row.open(second);

    assertThat(first.openRow).isNull();
    assertThat(second.openRow).isSameAs(row);
    row.take();
    assertThat(second.openRow).isNull();
  }

  @Test
  void aSeriesThatOpenedAnotherRowKeepsItWhenTheFirstIsTaken() {
    RowBatch row = row(0);
    RowBatch other = row(1);
    Series series = series();
    row.open(series);
    other.open(series);

    row.take();

    assertThat(series.openRow).isSameAs(other);
    row.open(series());
    assertThat(series.openRow).isSameAs(other);
  }
}
