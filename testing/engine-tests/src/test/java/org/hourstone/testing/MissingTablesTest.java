package org.hourstone.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.Set;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.Trait;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.store.ModelStore;
import org.junit.jupiter.api.Test;

/** A database over a store whose tables its operator creates. */
class MissingTablesTest {
  private final KeyValueStore store =
      new ForwardingStore(new ModelStore(new ManualClock(Instant.EPOCH))) {
        @Override
        public Set<Trait> traits() {
          return Set.of(Trait.MANAGED_TABLES);
        }
      };

  @Test
  void theErrorNamesTheMissingTablesAndTheSettingThatCreatesThem() {
    assertThatThrownBy(() -> Tsdb.over(store, TsdbOptions.defaults()))
        .isInstanceOfSatisfying(
            StoreException.class,
            e -> assertThat(e.outcome()).isEqualTo(StoreException.Outcome.REJECTED))
        .hasMessageContaining("tsdb-uid:id")
        .hasMessageEndingWith("; hourstone.storage.create_tables=true creates them");
    assertThat(store.families()).isEmpty();
  }

  @Test
  void theSettingCreatesThem() {
    TsdbOptions creating = TsdbOptions.defaults().with(Settings.CREATE_TABLES, "true");
    Tsdb.over(store, creating).close();

    assertThat(store.families()).isNotEmpty();
    Tsdb.over(store, TsdbOptions.defaults()).close();
  }
}
