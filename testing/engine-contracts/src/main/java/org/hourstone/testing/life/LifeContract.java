package org.hourstone.testing.life;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.nio.file.Path;
import java.util.stream.LongStream;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Trait;
import org.hourstone.testkit.StoreFixture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * If a store passes this, a database over it returns the right numbers, whatever is written late,
 * deleted, rolled up, expired and interrupted. A build plays the lives of the first seeds, which
 * the message of a failure has; {@code -Dhourstone.life.seed=…} begins at another one, {@code
 * -Dhourstone.life.steps=…} plays more lives, and {@code -Dhourstone.life.trace=true} prints all
 * steps.
 */
public abstract class LifeContract {
  /** The steps of a life; a seed is played to its end. */
  private static final int STEPS_PER_SEED = 300;

  /** Ten lives: about 4 seconds of CPU for a store on the heap, 14 for RocksDB. */
  public static final int STEPS = 10 * STEPS_PER_SEED;

  @TempDir private Path directory;

  /** Opens the store under test, empty. */
  protected abstract KeyValueStore open(StoreFixture fixture);

  /** How many steps are played in a build. */
  protected int steps() {
    return STEPS;
  }

  @Test
  @Timeout(36_000)
  final void resultsAreThoseOfThePoints() {
    int steps = Integer.getInteger("hourstone.life.steps", steps());
    long first = Long.getLong("hourstone.life.seed", 1);
    long last = first + Math.max(0, (steps - 1) / STEPS_PER_SEED);
    long[] rolledUp =
        LongStream.rangeClosed(first, last)
            .mapToObj(this::play)
            .reduce((a, b) -> new long[] {a[0] + b[0], a[1] + b[1]})
            .orElseThrow();
    assertThat(rolledUp[0]).as("queries that read rollups").isPositive();
  }

  private long[] play(long seed) {
    // A store may be unable to order its writes of one millisecond.
    StoreFixture fixture = StoreFixture.in(directory.resolve("s" + seed), seed).ticking();
    try (KeyValueStore store = open(fixture)) {
      assumeFalse(store.traits().contains(Trait.SHARED), "rollups are for one process");
      try (Life life = new Life(store, fixture.clock(), seed, InjectedFault.NONE)) {
        life.play(STEPS_PER_SEED);
        return life.rolledUp();
      }
    }
  }
}
