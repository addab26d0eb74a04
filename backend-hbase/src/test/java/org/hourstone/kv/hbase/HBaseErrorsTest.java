package org.hourstone.kv.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HBaseIOException;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.client.RegionOfflineException;
import org.apache.hadoop.hbase.client.Result;
import org.hourstone.kv.Family;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.junit.jupiter.api.Test;

class HBaseErrorsTest {
  private static final String NOWHERE =
      "No location found for 't', row='\\x00', locateType=CURRENT";

  @Test
  void aCallThatFoundNoServerHadNoEffect() {
    assertThat(HBaseErrors.isBeforeAnyEffect(in(new HBaseIOException(NOWHERE)))).isTrue();
    assertThat(HBaseErrors.isBeforeAnyEffect(in(new NotServingRegionException("r")))).isTrue();
    assertThat(HBaseErrors.isBeforeAnyEffect(in(new RegionOfflineException("r")))).isTrue();
  }

  @Test
  void ofAnyOtherFailureItIsNotKnown() {
    assertThat(HBaseErrors.isBeforeAnyEffect(in(new HBaseIOException("broken")))).isFalse();
    assertThat(HBaseErrors.isBeforeAnyEffect(in(new IOException(NOWHERE)))).isFalse();
    assertThat(HBaseErrors.isBeforeAnyEffect(in(new HBaseIOException()))).isFalse();
  }

  @Test
  void theOutcomeOfAnIncrementWithoutAValueIsNotKnown() {
    HBaseErrors errors = new HBaseErrors("hbase://here/hbase");

    assertThatThrownBy(
            () -> errors.counter(new Family("tsdb-uid", "id"), Result.create(new Cell[0])))
        .isInstanceOfSatisfying(
            StoreException.class,
            failure -> assertThat(failure.outcome()).isEqualTo(Outcome.UNKNOWN))
        .hasMessageContaining("no value");
  }

  private static IOException in(IOException cause) {
    return new IOException("one attempt", cause);
  }
}
