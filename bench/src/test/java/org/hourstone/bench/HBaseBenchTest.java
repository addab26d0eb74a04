package org.hourstone.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.hourstone.hbase.NeedsHBase;
import org.junit.jupiter.api.Test;

/** The driver runs through, on little data; what it measures is not looked at. */
@NeedsHBase
class HBaseBenchTest {
  @Test
  void everyWayOfOursLeavesAllPointsInHBase() throws Exception {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    Commands.run(
        "hbase --hosts 2 --hours 0.2 --parts write --routes client-batches,client-puts,client-mutator,packs-60s,appends-60s --warmup 0 --rounds 1 --server-heap 512m"
            .split(" "),
        new PrintStream(printed, true, UTF_8));
    assertThat(printed.toString(UTF_8).lines().filter(line -> line.startsWith("| ")))
        .extracting(line -> line.split(" ")[1])
        .containsExactly(
            "|",
            "singles",
            "client-batches",
            "client-puts",
            "client-mutator",
            "packs-60s",
            "appends-60s");
  }
}
