package org.hourstone.api.put;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What became of each point of a request. */
class PutReceiptsTest {
  @Test
  void aPointThatIsStoredAfterTheTimeoutHasTimedOut() {
    PutReceipts receipts = new PutReceipts(2);
    receipts.stored(0);
    receipts.await(1);

    receipts.stored(1); // while the response is written

    assertThat(receipts.error(0)).isNull();
    assertThat(receipts.isTimeout(1)).isTrue();
  }
}
