package org.hourstone.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.hourstone.testkit.LoggedBy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DescriptorsTest {
  private static final int WANTED = 20_000;

  @Test
  void theLimitIsThatOfTheSystem() {
    String limits =
        """
        Limit                     Soft Limit           Hard Limit           Units
        Max processes             1000                 1000                 processes
        Max open files            256                  4096                 files
        """;

    assertThat(Descriptors.limit(limits)).hasValue(256);
    assertThat(Descriptors.limit("Max open files            unlimited  ")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"192, 131, 29", "256, 140, 74", "1024, 150, 576", "20000, 200, 19160"})
  void connectionsLeaveDescriptorsForTheStore(long limit, long open, int connections) {
    try (LoggedBy log = LoggedBy.thisThread("org.hourstone.server")) {
      assertThat(new Descriptors(limit, open).connections(WANTED)).isEqualTo(connections);
      assertThat(log.messages())
          .singleElement()
          .asString()
          .startsWith("at most " + connections + " connections are accepted");
    }
  }

  @Test
  void theSettingApplies() {
    try (LoggedBy log = LoggedBy.thisThread("org.hourstone.server")) {
      assertThat(new Descriptors(1024, 150).connections(100)).isEqualTo(100);
      assertThat(new Descriptors(Long.MAX_VALUE, 0).connections(WANTED)).isEqualTo(WANTED);
      assertThat(log.messages()).isEmpty();
    }
  }

  @Test
  void connectionsThatAreRefusedDoNotTakeAllThatIsKept() {
    assertThat(new Descriptors(192, 131).refused()).isEqualTo(8);
    assertThat(new Descriptors(20_000, 131).refused()).isEqualTo(100);
  }

  @Test
  void withTooFewThereIsNoServer() {
    assertThatThrownBy(() -> new Descriptors(160, 130).connections(WANTED))
        .hasMessage(
            "too few file descriptors: the process may open 160, and needs at least 170 (ulimit"
                + " -n)");
  }
}
