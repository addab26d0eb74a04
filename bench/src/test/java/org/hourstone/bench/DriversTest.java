package org.hourstone.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
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
      assertThat(left).allMatch(path -> path.endsWith("lines.gz"));
    }
  }

  @Test
  void everyWayOfACellPerPointLeavesTheSameNumberOfCells() throws Exception {
    String text = run("ingest --hosts 2 --hours 0.5 --rounds 2 --warmup 0");
    assertThat(text).contains("3600 points of 20 series, 3600 cells");
    assertThat(
            Pattern.compile("^\\| [^|]* \\| 3600 \\|", Pattern.MULTILINE).matcher(text).results())
        .hasSize(4);
    assertThat(text).contains("| packs | ", "| series handles / the cells, raw puts |");
  }

  @Test
  void handlesWriteOneCellForEachHour() throws Exception {
    assertThat(run("ingest --hosts 1 --hours 2 --rounds 1 --warmup 0 --ways HANDLES"))
        .contains("| series handles | 20 |");
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
  void openingAfterAKillIsMeasured() throws Exception {
    assertThat(run("restart --hosts 1 --hours 1 --series 10 --journal 1000 --rounds 1"))
        .contains("points in the journal: ", "| by the clock | ", "| CPU of the process | ");
  }

  @Test
  void aFileOfLinesIsMeasuredToo() throws Exception {
    Path file = directory.resolve("lines.gz");
    try (OutputStream gz = new GZIPOutputStream(Files.newOutputStream(file))) {
      gz.write("m 1700000000 1.5 a=b\nm 1700000010 2 a=b\nm 1700000000 2.5 a=b\n".getBytes(UTF_8));
    }
    assertThat(run("ingest --file " + file + " --ways IMPORT,PUTS --rounds 1"))
        .contains("3 points of 1 series");
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

  @Test
  void anUnknownArgumentIsNamed() {
    assertThatThrownBy(() -> run("ingest --hoursss 1")).hasMessageContaining("--hoursss");
  }

  @Test
  void anUnknownStoreIsNamed() {
    assertThatThrownBy(() -> run("query --store memory --hosts 1 --hours 1"))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("'memory': must be rocksdb or hbase");
  }
}
