package org.hourstone.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.stream.Stream;
import org.hourstone.hbase.NeedsHBase;
import org.junit.jupiter.api.Test;

/** The drivers run through, on little data; what they measure is not looked at. */
@NeedsHBase
class HBaseBenchTest {
  @Test
  void everyWayLeavesAllPointsInHBase() throws Exception {
    assertThat(
            rows(
                "hbase --hosts 2 --hours 0.2 --parts write --ways"
                    + " batches,puts,single,packs,journal,appends --warmup 0 --rounds 1"))
        .containsExactly("|", "batches", "puts", "single", "packs", "journal", "appends");
  }

  private static Stream<String> rows(String command) throws Exception {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    Commands.run(command.split(" "), new PrintStream(printed, true, UTF_8));
    return printed
        .toString(UTF_8)
        .lines()
        .filter(line -> line.startsWith("| "))
        .map(line -> line.split(" ")[1]);
  }
}
