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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The drivers run through, on little data; what they measure is not looked at. */
class DriversTest {
  @TempDir Path directory;

  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(printed, true, UTF_8);

  private void run(String command) throws Exception {
    Commands.run((command + " --dir " + directory).split(" "), out);
  }

  @Test
  void whatIsBeneathTheMemoryStoreTakesTheSameCells() throws Exception {
    run("ingest --store memory --hosts 1 --hours 0.1 --rounds 1 --warmup 0");
    assertThat(printed.toString(UTF_8))
        .contains("360 points of 10 series", "| import / the cells, raw puts |");
  }

  @Test
  void everyWayOnDiskLeavesTheSameNumberOfCells() throws Exception {
    run("ingest --hosts 2 --hours 0.5 --rounds 2 --warmup 0");
    String text = printed.toString(UTF_8);
    assertThat(text).contains("3600 points of 20 series, 3600 cells");
    assertThat(
            Pattern.compile("^\\| [^|]* \\| 3600 \\|", Pattern.MULTILINE).matcher(text).results())
        .hasSize(5);
    assertThat(text).contains("| packs | ", "| series handles / the cells, raw puts |");
  }

  @Test
  void growthIsMeasuredInEveryStore() throws Exception {
    run("growth --by series --series 1000,2000 --rounds 1 --store memory,rocksdb");
    assertThat(printed.toString(UTF_8))
        .contains("| memory, series | |", "| rocksdb, series | |")
        .contains("| 1,000 | one series |", "| 2,000 | all, by host |")
        .contains("| 2,000 | all rows, scanned without our store |")
        .doesNotContain("NaN", "Infinity");
    run("growth --by range --series 1000 --hours 1,3 --rounds 1");
    assertThat(printed.toString(UTF_8)).contains("| rocksdb, hours | |", "| 3 | all, by host |");
    run("growth --by outside --series 1000 --hours 1,3 --rounds 1");
    assertThat(printed.toString(UTF_8))
        .contains(
            "| rocksdb, hours stored | |",
            "| 3 | all, by host |",
            "µs a query, with the fewest = 1");
  }

  @Test
  void handlesOfFewAndOfManySeriesAreMeasured() throws Exception {
    run("handles --points 2000 --series 10,100 --warmup 0 --rounds 1");
    assertThat(printed.toString(UTF_8)).contains("\n| gathered | 10 | ", "\n| put | 100 | ");
  }

  @Test
  void sizesInMemoryAreMeasured() throws Exception {
    run("size --store memory --data int,dec --hosts 2 --hours 0.5");
    assertThat(printed.toString(UTF_8)).contains("| single |", "| packs |", "| compacted |");
  }

  @Test
  void openingAfterAKillIsMeasured() throws Exception {
    run("restart --stored 2 --series 10 --journal 1000 --rounds 1");
    assertThat(printed.toString(UTF_8))
        .contains("points in the journal: ", "| by the clock | ", "| CPU of the process | ");
  }

  @Test
  void aFileOfLinesIsMeasuredToo() throws Exception {
    Path file = directory.resolve("lines.gz");
    try (OutputStream gz = new GZIPOutputStream(Files.newOutputStream(file))) {
      gz.write("m 1700000000 1.5 a=b\nm 1700000010 2 a=b\nm 1700000000 2.5 a=b\n".getBytes(UTF_8));
    }
    run("ingest --file " + file + " --ways IMPORT,PUTS --rounds 1");
    assertThat(printed.toString(UTF_8)).contains("3 points of 1 series");
  }

  @Test
  void theQuestionsAreAskedOfBothStores() throws Exception {
    run("query --hosts 3 --hours 1 --rounds 1 --warmup 1 --warm-runs 2");
    String text = printed.toString(UTF_8);
    assertThat(text.split("\n"))
        .filteredOn(line -> line.startsWith("| Q1 "))
        .hasSize(2)
        .allMatch(line -> line.contains("| 360 | 360 |"));
    assertThat(text.split("\n"))
        .filteredOn(line -> line.startsWith("| Q5 "))
        .hasSize(2)
        .allMatch(line -> line.contains("| 10,800 | 360 |"));
  }

  @Test
  @EnabledOnOs(OS.LINUX) // it has taskset
  void theQuestionsAreAskedOnOneProcessorAndOnTwo() throws Exception {
    run("cores --hosts 1 --hours 1 --questions Q1 --rounds 1 --warm-runs 2");
    assertThat(printed.toString(UTF_8).split("\n"))
        .filteredOn(line -> line.startsWith("| Q1 "))
        .singleElement()
        .matches(line -> line.contains("| 360 | 360 |") && line.split("\\|").length == 11);
  }

  @Test
  void seriesThatComeAndGoAreSummed() throws Exception {
    run("growth --by churn --store memory --series 400 --step 300 --rounds 1");
    assertThat(printed.toString(UTF_8)).contains("| 400 | all, by pod |");
  }

  @Test
  void theFormsOfCellsAreComparedInBothOrders() throws Exception {
    for (String order : new String[] {"time", "series"}) {
      run("forms --hosts 2 --hours 1 --rounds 1 --warmup 0 --order " + order);
    }
    assertThat(printed.toString(UTF_8).split("\n"))
        .filteredOn(line -> line.matches("\\| (single|packs|appends) \\|.*"))
        .hasSize(6)
        .allMatch(line -> line.split("\\|").length == 8);
  }

  @Test
  void nothingIsLeftBehind() throws Exception {
    run("ingest --hosts 1 --hours 0.1 --ways PUTS --rounds 1");
    try (Stream<Path> left = Files.list(directory)) {
      assertThat(left).isEmpty();
    }
  }

  @Test
  void anUnknownArgumentIsNamed() {
    assertThatThrownBy(() -> run("ingest --hoursss 1")).hasMessageContaining("--hoursss");
  }
}
