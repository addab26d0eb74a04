package org.hourstone.testing.beside;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.hourstone.testing.golden.RequestPort;
import org.hourstone.testing.reference.Features;
import org.junit.jupiter.api.Test;

/**
 * If a server passes this, it answers random requests as an OpenTSDB over the same tables does. How
 * many are made is said by the system property {@code beside.requests}, which ones by {@code
 * beside.seed}.
 */
public abstract class BesideContract {
  private static final int REQUESTS = Integer.getInteger("beside.requests", 500);
  private static final long SEED = Long.getLong("beside.seed", 1);
  private static final int REQUESTS_OF_THE_SAME_POINTS = 40;

  /** Fewer can't be expected to have every feature. */
  private static final int ALL_FEATURES = 5_000;

  private static final int SHOWN = 20;

  private final Features features = new Features();
  private final List<String> differences = new ArrayList<>();
  private final Map<String, Integer> explained = new TreeMap<>();
  private int later;

  /** The server under test, in strict mode. */
  protected abstract RequestPort ours();

  /** The OpenTSDB. */
  protected abstract RequestPort theirs();

  /** Whether both are configured for the same rolled-up values and histograms. */
  protected boolean derived() {
    return false;
  }

  @Test
  final void randomRequestsAreAnsweredAlike() {
    RandomRequests.declare(features, derived());
    Tables tables = new Tables(ours(), theirs(), derived());
    for (int made = 0; made < REQUESTS; ) {
      int number = made / REQUESTS_OF_THE_SAME_POINTS;
      Draw draw = new Draw(new Random(SEED + number), features);
      RandomRequests requests = new RandomRequests(draw, tables.write(number, draw), derived());
      for (int i = 0; i < REQUESTS_OF_THE_SAME_POINTS && made < REQUESTS; i++, made++) {
        compare(requests.next(), draw.once(2), tables);
      }
    }
    System.out.printf(
        "%d requests of seed %d; alike when asked again: %d; explained: %s%n%s%n",
        REQUESTS, SEED, later, explained, features.table());
    assertThat(differences.stream().limit(SHOWN))
        .describedAs("%d differences of seed %d", differences.size(), SEED)
        .isEmpty();
    if (REQUESTS >= ALL_FEATURES) {
      assertThat(features.missing()).describedAs("features that were not drawn").isEmpty();
    }
  }

  /** Points that one side is still writing may be read by the other, so both are asked again. */
  private void compare(Request request, boolean oursFirst, Tables tables) {
    Answers answers = Answers.of(request, ours(), theirs(), oursFirst, tables);
    if (answers.difference().isEmpty()) {
      return;
    }
    answers = Answers.of(request, ours(), theirs(), oursFirst, tables);
    if (answers.difference().isEmpty()) {
      later++;
      return;
    }
    String rule = Explained.rule(answers);
    if (rule.isEmpty()) {
      differences.add(answers.toString());
      report(answers);
    } else {
      explained.merge(rule, 1, Integer::sum);
      if (rule.equals(System.getProperty("beside.shown"))) {
        report(answers);
      }
    }
  }

  /** To the file that {@code beside.report} names, as a line of JSON. */
  private static void report(Answers answers) {
    String file = System.getProperty("beside.report", "");
    if (file.isEmpty()) {
      return;
    }
    try {
      Files.writeString(Path.of(file), answers.json() + "\n", CREATE, APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
