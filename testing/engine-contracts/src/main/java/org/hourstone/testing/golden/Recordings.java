package org.hourstone.testing.golden;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What was recorded, scenarios of writes and queries: what comes with the tests, or what is in the
 * directory that the system property {@code golden.dir} names; a relative one is looked for in
 * {@code golden.root}, where Maven was started. Recorded HTTP sequences are not played from there.
 */
final class Recordings {
  /** How many scenarios each recording that comes with the tests has, so that none gets lost. */
  private static final Map<String, Integer> OWN =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry("annotations.json", 7),
              Map.entry("append.json", 18),
              Map.entry("batch.json", 6),
              Map.entry("cells.json", 38),
              Map.entry("compact.json", 37),
              Map.entry("floats.json", 7),
              Map.entry("histograms.json", 3),
              Map.entry("ints.json", 8),
              Map.entry("meta.json", 8),
              Map.entry("rollups.json", 3),
              Map.entry("salt.json", 9),
              Map.entry("tags.json", 8),
              Map.entry("times.json", 9),
              Map.entry("tree.json", 1),
              Map.entry("uids.json", 15)));

  private Recordings() {}

  private static @Nullable Path elsewhere() {
    String directory = System.getProperty("golden.dir", "");
    return directory.isEmpty()
        ? null
        : Path.of(System.getProperty("golden.root", ""), "").resolve(directory).toAbsolutePath();
  }

  /** Whether other recordings are played than those that come with the tests. */
  static boolean areElsewhere() {
    return elsewhere() != null;
  }

  /**
   * All scenarios to play; none if only queries are to be played.
   *
   * @throws AssertionError if there is nothing to play, or a recording is not what it should be
   */
  static List<Scenario> scenarios() {
    Path directory = elsewhere();
    if (directory == null) {
      return own();
    }
    List<Scenario> scenarios = of(directory);
    if (scenarios.isEmpty() && RecordedQueries.in(directory).isEmpty()) {
      throw nothing(directory);
    }
    return scenarios;
  }

  /**
   * The queries to play; none if only scenarios are to be played.
   *
   * @throws AssertionError if there is nothing to play, or a recording is not what it should be
   */
  static Optional<RecordedQueries> queries() {
    Path directory = elsewhere();
    if (directory == null) {
      return Optional.of(RecordedQueries.own());
    }
    Optional<RecordedQueries> queries = RecordedQueries.in(directory);
    if (queries.isEmpty() && of(directory).isEmpty()) {
      throw nothing(directory);
    }
    return queries;
  }

  private static AssertionError nothing(Path directory) {
    return new AssertionError("golden.dir: neither scenarios nor queries in " + directory);
  }

  private static List<Scenario> own() {
    List<Scenario> scenarios = new ArrayList<>();
    OWN.forEach(
        (file, count) -> {
          try (InputStream json = Recordings.class.getResourceAsStream(file)) {
            if (json == null) {
              throw new AssertionError("no recording " + file);
            }
            List<Scenario> read = Scenario.read(file, json);
            if (read.size() != count) {
              throw new AssertionError(file + ": " + read.size() + " scenarios, not " + count);
            }
            scenarios.addAll(read);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
    return scenarios;
  }

  private static List<Scenario> of(Path directory) {
    List<Scenario> scenarios = new ArrayList<>();
    for (Path file : files(directory)) {
      try (InputStream json = Files.newInputStream(file)) {
        scenarios.addAll(Scenario.read(file.getFileName().toString(), json));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return scenarios;
  }

  private static List<Path> files(Path directory) {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(Recordings::isScenarios).sorted().toList();
    } catch (IOException e) {
      throw new AssertionError("golden.dir: can't read " + directory + ": " + e, e);
    }
  }

  private static boolean isScenarios(Path file) {
    String name = file.getFileName().toString();
    return name.endsWith(".json")
        && !name.equals(RecordedQueries.QUERIES)
        && !name.equals("http.json");
  }
}
