package org.hourstone.testkit.golden;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.testkit.StoreFixture;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * If a store passes this, points written to it through the engine in strict mode are the cells that
 * OpenTSDB 2.4 wrote to HBase, byte for byte, UID table included.
 */
public abstract class GoldenContract {
  private static final List<String> RECORDINGS =
      List.of("compact", "floats", "ints", "salt", "tags", "times", "uids");
  private static final int PLAIN_SCENARIOS = 30;

  @TempDir private Path directory;

  /** Opens the store under test; the recordings' tables are created in it. */
  protected abstract KeyValueStore open(StoreFixture fixture);

  @TestFactory
  final Stream<DynamicTest> plainPointsAreStoredAsOpenTsdbStoresThem() throws IOException {
    List<Scenario> scenarios = new ArrayList<>();
    for (String recording : RECORDINGS) {
      String file = recording + ".json";
      try (InputStream json = GoldenContract.class.getResourceAsStream(file)) {
        assertThat(json).describedAs(file).isNotNull();
        Scenario.read(file, json).stream().filter(GoldenReplay::isPlain).forEach(scenarios::add);
      }
    }
    assertThat(scenarios).hasSizeGreaterThan(PLAIN_SCENARIOS);
    return scenarios.stream()
        .map(scenario -> DynamicTest.dynamicTest(scenario.toString(), () -> play(scenario)));
  }

  private void play(Scenario scenario) throws IOException {
    Path own = java.nio.file.Files.createTempDirectory(directory, "golden");
    try (KeyValueStore store = open(StoreFixture.in(own, scenario.name().hashCode()))) {
      new GoldenReplay(store, scenario).play();
    }
  }
}
