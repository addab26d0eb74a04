package org.hourstone.tsd;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.hourstone.Tsdb;
import org.hourstone.hbase.HBaseProcess;
import org.hourstone.hbase.NeedsHBase;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.KeyValueStores;
import org.hourstone.testing.golden.GoldenServerContract;
import org.hourstone.testing.golden.RequestPort;
import org.hourstone.testkit.StoreFixture;
import org.hourstone.testkit.store.PacedStore;
import org.junit.jupiter.api.Nested;

class GoldenServerTest {
  private abstract static class Contract extends GoldenServerContract {
    @Override
    protected final RequestPort serve(Tsdb database) {
      return ServerPort.of(database);
    }
  }

  @Nested
  class Memory extends Contract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return KeyValueStores.open("memory:", fixture.options());
    }
  }

  @Nested
  class RocksDb extends Contract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return KeyValueStores.open("rocksdb:" + fixture.directory(), fixture.options());
    }
  }

  @Nested
  @NeedsHBase
  class HBase extends Contract {
    /** New tables. */
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      awaitTimeInTheHour();
      fixture.clock().advance(Duration.between(fixture.clock().instant(), Instant.now()));
      String prefix = "server" + UUID.randomUUID().toString().replace("-", "") + "_";
      return new PacedStore(KeyValueStores.open(HBaseProcess.sharedUri() + "?prefix=" + prefix));
    }
  }
}
