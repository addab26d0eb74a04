package org.hourstone.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DevopsWorkloadTest {
  @TempDir Path directory;

  private List<String> lines(DevopsWorkload workload) throws IOException {
    return lines(workload, false);
  }

  private List<String> lines(DevopsWorkload workload, boolean bySeries) throws IOException {
    Path file = directory.resolve("lines");
    workload.writeTo(file, bySeries, DevopsWorkload.START);
    return Files.readAllLines(file);
  }

  @Test
  void theSameParametersGiveTheSameLines() throws IOException {
    DevopsWorkload workload = new DevopsWorkload(3, 60, true);
    assertThat(lines(workload)).isEqualTo(lines(workload)).hasSize((int) workload.points());
  }

  @Test
  void everyTimestampHasALineOfEverySeries() throws IOException {
    List<String> lines = lines(new DevopsWorkload(2, 30, false));
    assertThat(lines).hasSize(2 * 10 * 3);
    assertThat(lines.subList(0, 20)).allMatch(line -> line.split(" ")[1].equals("1704067200"));
    assertThat(lines.subList(40, 60)).allMatch(line -> line.split(" ")[1].equals("1704067220"));
    assertThat(lines.stream().map(line -> line.replaceFirst(" [0-9]+ [0-9]+ ", " ")).distinct())
        .hasSize(20);
  }

  @Test
  void theOrderOfSeriesHasTheSameLines() throws IOException {
    DevopsWorkload workload = new DevopsWorkload(2, 7200, true);
    List<String> live = lines(workload);
    List<String> backfill = lines(workload, true);
    assertThat(sorted(backfill)).isEqualTo(sorted(live));
    assertThat(backfill.subList(0, 720).stream().map(DevopsWorkloadTest::series).distinct())
        .hasSize(1);
  }

  private static List<String> sorted(List<String> lines) {
    return lines.stream().sorted().toList();
  }

  private static String series(String line) {
    String[] words = line.split(" ", 4);
    return words[0] + ' ' + words[3];
  }

  @Test
  void valuesAreWholeOrHaveTwoDecimalsFromZeroToAHundred() throws IOException {
    assertThat(lines(new DevopsWorkload(1, 3600, false)))
        .allMatch(line -> line.split(" ")[2].matches("[0-9]{1,2}|100"));
    assertThat(lines(new DevopsWorkload(1, 3600, true)))
        .allMatch(line -> line.split(" ")[2].matches("[0-9]{1,2}\\.[0-9]{2}|100\\.00"));
  }
}
