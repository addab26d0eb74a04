package org.hourstone.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The drivers run to their end on little data; their figures are not checked. */
class DriversTest {
  @TempDir Path directory;

  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(printed, true, UTF_8);

  private String run(String command) throws Exception {
    Commands.run((command + " --dir " + directory).split(" "), out);
    return printed.toString(UTF_8);
  }

  @AfterEach
  void nothingIsLeftBehind() throws Exception {
    try (Stream<Path> left = Files.list(directory)) {
      assertThat(left).isEmpty();
    }
  }

  @Test
  void linesAndHandlesStoreAllPoints() throws Exception {
    assertThat(run("ingest --hosts 2 --hours 0.5 --rounds 2 --warmup 0"))
        .contains("3600 points of 20 series", "| import | ", "| handles | ");
  }

  @Test
  void daysAreRolledUpAndQueried() throws Exception {
    assertThat(run("years --series 2 --days 3 --step 600 --rounds 1"))
        .contains("864 points; CPU of writing ", "| `sum:1d-avg:sys.cpu{host=*}` | ");
  }

  @Test
  void whatHasExpiredIsDeletedAfterAKill() throws Exception {
    assertThat(run("expire --series 2 --days 4 --kept 1 --kills 1 --delay 1"))
        .contains("11,520 points, of which 2,880 are live; all of these are there");
  }

  @Test
  void theQueriesReadSingleCellsAndCompactedOnes() throws Exception {
    for (String form : new String[] {"single", "compacted"}) {
      run("query --form " + form + " --hosts 3 --hours 1 --rounds 1 --warmup 1 --warm-runs 2");
    }
    String[] lines = printed.toString(UTF_8).split("\n");
    assertThat(lines)
        .filteredOn(line -> line.startsWith("| Q1 "))
        .hasSize(2)
        .allMatch(line -> line.contains("| 360 | 360 |"));
    assertThat(lines)
        .filteredOn(line -> line.startsWith("| Q5 "))
        .hasSize(2)
        .allMatch(line -> line.contains("| 10,800 | 360 |"));
  }
}
