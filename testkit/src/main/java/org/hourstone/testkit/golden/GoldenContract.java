package org.hourstone.testkit.golden;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
  private static final List<String> RECORDINGS =
      List.of(
          "append", "batch", "cells", "compact", "floats", "ints", "salt", "tags", "times", "uids");

  @TempDir private Path directory;

  /** Opens the store under test; the recordings' tables are created in it. */
  protected abstract KeyValueStore open(StoreFixture fixture);

  @TestFactory
  final Stream<DynamicTest> pointsAreStoredAsOpenTsdbStoresThem() {
    return RECORDINGS.stream()
        .flatMap(recording -> scenarios(recording, GoldenReplay::isPlain).stream())
        .map(scenario -> test(scenario, GoldenReplay::play));
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
