package org.hourstone.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.hourstone.kv.KeyValueStore;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The contract finds each subtle fault, planted one at a time, by the test that is made for it. */
class ContractFindsSubtleFaultsTest {
  /** What is planted; one test at a time. */
  private static SubtleFault fault = SubtleFault.PIN_RACE;

  static class Subtle extends KeyValueStoreContract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return SubtleStore.open(fault, fixture.clock());
    }

    @Override
    protected KeyValueStore openCheckpoint(Path copy, StoreFixture fixture) {
      return SubtleStore.copyAt(copy);
    }
  }

  @ParameterizedTest
  @EnumSource
  void finds(SubtleFault planted) {
    fault = planted;
    Map<String, Throwable> failures =
        ContractRun.failing(Subtle.class, planted.part, planted.test).failures();

    assertThat(failures).containsKey(planted.test);
    assertThat(failures.get(planted.test)).hasMessageContaining(planted.message);
  }
}
