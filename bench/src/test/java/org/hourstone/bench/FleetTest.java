package org.hourstone.bench;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class FleetTest {
  private final Fleet fleet = new Fleet(1_000);

  private List<String> lines(int hour, long time) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    fleet.write(out, hour, time);
    return out.toString(US_ASCII).lines().toList();
  }

  private static Set<String> series(List<String> lines) {
    return lines.stream()
        .map(line -> line.replaceFirst("put (\\S+) \\d+ \\d+ ", "$1 "))
        .collect(Collectors.toSet());
  }

  @Test
  void eachSeriesHasAPointWithFourTags() throws IOException {
    List<String> lines = lines(0, 1_700_000_000);
    assertThat(lines)
        .hasSize(1_000)
        .allMatch(
            line -> line.matches("put cpu\\.\\w+ 1700000000 \\d{1,3}( [a-z]+=[a-z0-9.-]+){4}"));
    assertThat(series(lines)).hasSize(1_000);
  }

  @Test
  void aTenthOfTheHostsIsReplacedEachHour() throws IOException {
    Set<String> first = series(lines(0, 1_700_000_000));
    Set<String> second = series(lines(1, 1_700_003_600));
    Set<String> third = series(lines(2, 1_700_007_200));

    assertThat(fleet.replaced(1)).isEqualTo(100);
    assertThat(second).hasSize(1_000).filteredOn(first::contains).hasSize(900);
    assertThat(third).filteredOn(second::contains).hasSize(900);
    assertThat(third).filteredOn(first::contains).hasSize(800);
    ByteArrayOutputStream replaced = new ByteArrayOutputStream();
    fleet.writeReplaced(replaced, 1, 1_700_003_600);
    assertThat(series(replaced.toString(US_ASCII).lines().toList()))
        .hasSize(100)
        .isSubsetOf(second)
        .doesNotContainAnyElementsOf(first);
  }
}
