package org.hourstone.testing.golden;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Queries that were recorded on one set of points.
 *
 * @param points as lines of the telnet protocol, in the order they were put
 * @param queries each with its response
 */
record RecordedQueries(List<String> points, List<JsonNode> queries) {
  static final String QUERIES = "queries.json";
  static final String POINTS = "queries-dataset.txt";

  /** How many there are of those that come with the tests, so that none gets lost. */
  private static final int OWN_QUERIES = 412;

  private static final int OWN_POINTS = 6727;

  static RecordedQueries own() {
    try (InputStream points = RecordedQueries.class.getResourceAsStream(POINTS);
        InputStream queries = RecordedQueries.class.getResourceAsStream(QUERIES)) {
      if (points == null || queries == null) {
        throw new AssertionError("no recorded queries");
      }
      RecordedQueries recorded = read(points, queries);
      if (recorded.points.size() != OWN_POINTS || recorded.queries.size() != OWN_QUERIES) {
        throw new AssertionError(
            recorded.queries.size() + " queries of " + recorded.points.size() + " points");
      }
      return recorded;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The queries in a directory, if there are any.
   *
   * @throws AssertionError if they are there without their points
   */
  static Optional<RecordedQueries> in(Path directory) {
    if (!Files.exists(directory.resolve(QUERIES))) {
      return Optional.empty();
    }
    if (!Files.exists(directory.resolve(POINTS))) {
      throw new AssertionError(
          "golden.dir: " + directory + " has " + QUERIES + " and not its points, " + POINTS);
    }
    try (InputStream points = Files.newInputStream(directory.resolve(POINTS));
        InputStream queries = Files.newInputStream(directory.resolve(QUERIES))) {
      return Optional.of(read(points, queries));
    } catch (IOException e) {
      throw new AssertionError("golden.dir: can't read the queries in " + directory + ": " + e, e);
    }
  }

  private static RecordedQueries read(InputStream points, InputStream queries) throws IOException {
    List<JsonNode> read = new ArrayList<>();
    JsonNode json = new ObjectMapper().readTree(queries);
    if (!json.isArray() || json.isEmpty()) {
      throw new AssertionError(QUERIES + ": not an array of queries");
    }
    json.forEach(read::add);
    List<String> lines =
        new String(points.readAllBytes(), StandardCharsets.ISO_8859_1)
            .lines()
            .filter(line -> !line.isBlank())
            .toList();
    return new RecordedQueries(lines, read);
  }
}
