package org.hourstone.testing.life;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.nio.file.Path;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.testkit.StoreFixture;
import org.hourstone.testkit.store.ModelStore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The model test of {@link LifeContract} finds each fault that is injected, within some seeds. */
class InjectedFaultsTest {
  private static final int SEEDS = 30;
  private static final int STEPS = 300;

  @TempDir private Path directory;

  @ParameterizedTest
  @EnumSource(names = "NONE", mode = EnumSource.Mode.EXCLUDE)
  void isFound(InjectedFault fault) {
    Throwable found = null;
    for (long seed = 1; seed <= SEEDS && found == null; seed++) {
      found = play(fault, seed);
    }
    assertThat(found).as("%s, in %d seeds", fault, SEEDS).isInstanceOf(AssertionError.class);
  }

  private @Nullable Throwable play(InjectedFault fault, long seed) {
    StoreFixture fixture = StoreFixture.in(directory.resolve(fault + "-" + seed), seed).ticking();
    try (KeyValueStore store = new ModelStore(fixture.clock());
        Life life = new Life(store, fixture.clock(), seed, fault)) {
      return catchThrowable(() -> life.play(STEPS));
    }
  }
}
