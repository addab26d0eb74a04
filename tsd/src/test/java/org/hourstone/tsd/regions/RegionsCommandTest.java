package org.hourstone.tsd.regions;

import static org.assertj.core.api.Assertions.assertThat;

import org.hourstone.tsd.CommandRun;
import org.hourstone.tsd.session.ExitCode;
import org.junit.jupiter.api.Test;

class RegionsCommandTest {
  private final String store = CommandRun.newStore();

  @Test
  void aStoreWithoutRegionsIsAnError() {
    CommandRun run = CommandRun.of("--store", store, "regions");

    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.err()).contains(" has no regions; HBase has\n");
  }

  @Test
  void wrongOptionsAreErrorsOfUsage() {
    CommandRun yes = CommandRun.of("--store", store, "regions", "--yes");
    CommandRun size = CommandRun.of("--store", store, "regions", "--split", "--larger-than", "big");

    assertThat(yes.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(yes.err()).contains("--yes is for --split");
    assertThat(size.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(size.err()).contains("--larger-than big: not a size such as 10g");
  }

  @Test
  void sizesHaveUnits() {
    assertThat(ByteCount.parse("--larger-than", "5")).isEqualTo(5);
    assertThat(ByteCount.parse("--larger-than", "5k")).isEqualTo(5L << 10);
    assertThat(ByteCount.parse("--larger-than", "10G")).isEqualTo(10L << 30);
  }

  @Test
  void statusOfAnyStoreHasItsTables() {
    CommandRun empty = CommandRun.of("--store", store, "status");
    CommandRun.withInput("put m 1356998400 1 host=a\n", "--store", store, "put", "-");
    CommandRun used = CommandRun.of("--store", store, "status");

    assertThat(empty.exitCode()).isZero();
    assertThat(empty.out()).contains("tables  none\n", "advice  families [tsdb-meta:name, ");
    assertThat(used.exitCode()).isZero();
    assertThat(used.out()).contains("tables  tsdb, tsdb-meta, tsdb-tree, tsdb-uid\n");
    assertThat(used.out()).contains("advice  none\n");
  }
}
