package org.hourstone.testkit.golden;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
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
  /** How many scenarios of plain points each recording has: none may get lost on the way. */
  private static final Map<String, Integer> PLAIN_SCENARIOS =
      Map.of("compact", 1, "floats", 6, "ints", 6, "salt", 8, "tags", 7, "times", 8, "uids", 1);

  private static final int SCENARIOS_OF_WIDTHS = 8;

  @TempDir private Path directory;

  /** Opens the store under test; the recordings' tables are created in it. */
  protected abstract KeyValueStore open(StoreFixture fixture);

  @TestFactory
  final Stream<DynamicTest> plainPointsAreStoredAsOpenTsdbStoresThem() {
    List<DynamicTest> tests = new ArrayList<>();
    new TreeMap<>(PLAIN_SCENARIOS)
        .forEach(
            (recording, count) -> {
              List<Scenario> plain = scenarios(recording, GoldenReplay::isPlain);
              assertThat(plain).describedAs(recording).hasSize(count);
              plain.forEach(scenario -> tests.add(test(scenario, replay -> replay.play())));
            });
    return tests.stream();
  }

  @TestFactory
  final Stream<DynamicTest> rowsAndNamesAreThoseOfOpenTsdbInEveryUidWidth() {
    List<Scenario> widths = scenarios("uids", GoldenReplay::isPlainButForItsCells);
    assertThat(widths).hasSize(SCENARIOS_OF_WIDTHS);
    return widths.stream().map(scenario -> test(scenario, replay -> replay.playPoints()));
  }

  private static List<Scenario> scenarios(String recording, Predicate<Scenario> wanted) {
    String file = recording + ".json";
    try (InputStream json = GoldenContract.class.getResourceAsStream(file)) {
      if (json == null) {
        throw new AssertionError("no recording " + file);
      }
      return Scenario.read(file, json).stream().filter(wanted).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private DynamicTest test(Scenario scenario, Consumer<GoldenReplay> play) {
    return DynamicTest.dynamicTest(
        scenario.toString(),
        () -> {
          Path own = Files.createTempDirectory(directory, "golden");
          try (KeyValueStore store = open(StoreFixture.in(own, scenario.name().hashCode()))) {
            play.accept(new GoldenReplay(store, scenario));
          }
        });
  }
}
