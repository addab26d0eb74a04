package org.hourstone.testkit;

import org.hourstone.kv.KeyValueStore;
import org.junit.jupiter.api.Nested;

/** A durable store, alone and shared, so that the tests for such stores are run. */
class JournalStoreContractTest {
  @Nested
  class Alone extends JournalContract {
    Alone() {
      super(false, JournalFault.NONE);
    }
  }

  @Nested
  class Shared extends JournalContract {
    Shared() {
      super(true, JournalFault.NONE);
    }
  }

  /** The contract of a journal, sound or not. */
  abstract static class JournalContract extends KeyValueStoreContract {
    private final boolean shared;
    private final JournalFault fault;

    JournalContract(boolean shared, JournalFault fault) {
      this.shared = shared;
      this.fault = fault;
    }

    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return JournalStore.open(fixture.directory(), fixture.options(), shared, fault);
    }

    @Override
    protected String uri(StoreFixture fixture) {
      return "journal:" + fixture.directory() + "?shared=" + shared + "&fault=" + fault;
    }

    @Override
    protected boolean failNextRead(KeyValueStore store) {
      ((JournalStore) store).failNextRead();
      return true;
    }

    @Override
    protected boolean failCommit(KeyValueStore store, int k) {
      ((JournalStore) store).failCommit(k);
      return true;
    }
  }
}
