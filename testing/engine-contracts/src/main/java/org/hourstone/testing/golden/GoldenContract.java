package org.hourstone.testing.golden;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Trait;
import org.hourstone.testkit.StoreFixture;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * If a store passes this, what is written to it through the engine in strict mode are the cells
 * that OpenTSDB 2.4 wrote to HBase, byte for byte, in all tables. Plays the recordings that come
 * with the tests, or those in the directory that {@code golden.dir} names.
 */
public abstract class GoldenContract {
  /** When the scenarios are played, long after the times of their points. */
  private static final Instant RUN = Instant.parse("2026-01-01T00:00:00Z");

  @TempDir private Path directory;

  /** Opens the store under test, empty; the recordings' tables are created in it. */
  protected abstract KeyValueStore open(StoreFixture fixture);

  @TestFactory
  final Stream<DynamicTest> cellsAreStoredAsOpenTsdbStoresThem() {
    return Recordings.scenarios().stream()
        .map(scenario -> DynamicTest.dynamicTest(scenario.toString(), () -> play(scenario)));
  }

  @TestFactory
  final Stream<DynamicTest> recordedCellsReadAsTheRecordedPoints() {
    return Recordings.scenarios().stream()
        .map(
            scenario ->
                DynamicTest.dynamicTest(
                    scenario.toString(),
                    () -> new ReadBack(scenario, () -> open(scenario)).play()));
  }

  private void play(Scenario scenario) {
    boolean anyNames = NamesBeyondLatin1.areIn(scenario);
    if (anyNames) {
      try (KeyValueStore store = open(scenario)) {
        new GoldenReplay(store, scenario, List.of(), false).playRefusing();
      }
    }
    List<GoldenCell> hiddenThen = List.of();
    if (GoldenConfig.writesPointTimes(GoldenConfig.options(scenario.config()))) {
      try (DeleteMarkers asHbase = new DeleteMarkers(open(scenario))) {
        new GoldenReplay(asHbase, scenario, List.of(), anyNames).play();
        hiddenThen = asHbase.hidden();
      }
    }
    try (KeyValueStore store = open(scenario)) {
      Set<Deviation> found = new GoldenReplay(store, scenario, hiddenThen, anyNames).play();
      if (anyNames) {
        found.add(Deviation.NAMES_BEYOND_LATIN1);
      }
      if (!Recordings.areElsewhere()) {
        assertThat(found).describedAs(scenario.toString()).isEqualTo(reviewed(scenario, store));
      }
    }
  }

  private static Set<Deviation> reviewed(Scenario scenario, KeyValueStore store) {
    Set<Deviation> reviewed = EnumSet.noneOf(Deviation.class);
    for (Deviation deviation : Deviation.values()) {
      if (deviation.isReviewedIn(scenario)) {
        reviewed.add(deviation);
      }
    }
    boolean refuses = store.traits().contains(Trait.MANAGED_TABLES);
    reviewed.remove(
        refuses
            ? Deviation.PUT_HIDDEN_BY_DELETE_MARKER
            : Deviation.PUT_REFUSED_BEHIND_DELETE_MARKER);
    return reviewed;
  }

  private KeyValueStore open(Scenario scenario) {
    try {
      Path own = Files.createTempDirectory(directory, "golden");
      StoreFixture fixture = StoreFixture.in(own, scenario.name().hashCode());
      fixture.clock().advance(Duration.between(fixture.clock().instant(), RUN));
      return open(fixture);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
