package org.hourstone.tsd;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.hourstone.hbase.NeedsHBase;
import org.hourstone.testing.beside.BesideContract;
import org.hourstone.testing.golden.RequestPort;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/** Beside the published OpenTSDB, over tables of an HBase that we have made. */
@NeedsHBase
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class BesideOpenTsdbTest extends BesideContract {
  /** Integers of every width, and decimals of both. */
  private static final List<String> VALUES =
      List.of("7", "-300", "70000", "9007199254740993", "2.5", "0.1", "-1e-300");

  private BesideServers servers;

  @BeforeAll
  void start() {
    servers = BesideServers.start(Map.of());
  }

  @AfterAll
  void stop() {
    servers.close();
  }

  /** Before the random requests write points: it compares every metric that exists. */
  @Test
  @Order(1)
  void compareFindsNoDifferences() {
    for (String port : List.of("ours", "theirs")) {
      RequestPort writer = port.equals("ours") ? ours() : theirs();
      for (String metric : List.of("compare.cpu", "compare.mem")) {
        StringBuilder points = new StringBuilder();
        for (int i = 0; i < 300; i++) {
          points
              .append(i == 0 ? '[' : ',')
              .append("{\"metric\":\"%s\",\"timestamp\":".formatted(metric))
              .append(i % 5 == 0 ? 1_500_000_000_123L + 20_000L * i : 1_500_000_000L + 20L * i)
              .append(",\"value\":")
              .append(VALUES.get(i % VALUES.size()))
              .append(",\"tags\":{\"host\":\"%s\",\"core\":\"%d\"}}".formatted(port, i % 3));
        }
        assertThat(
                writer
                    .http("POST", "/api/put?sync", Map.of(), points.append(']').toString())
                    .status())
            .isEqualTo(204);
      }
    }
    assertThat(theirs().http("GET", "/api/suggest?type=metrics&q=compare", Map.of(), "").body())
        .isEqualTo("[\"compare.cpu\",\"compare.mem\"]");

    CommandRun run =
        CommandRun.of(
            "compare",
            "--start=1499999000",
            "--now=1500009000",
            "http://localhost:" + servers.ours().address().getPort(),
            "http://localhost:" + servers.theirs().address().getPort());

    assertThat(run.out())
        .matches(
            "(?s)[1-9][0-9]+ requests: 0 with differences .*, 0 refused by both, 0 not compared\n"
                + ".*");
    assertThat(run.exitCode()).isZero();
  }

  @Override
  protected RequestPort ours() {
    return servers.ours();
  }

  @Override
  protected RequestPort theirs() {
    return servers.theirs();
  }
}
