package org.hourstone.tsd;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.hourstone.hbase.HBaseProcess;
import org.hourstone.hbase.NeedsHBase;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.KeyValueStores;
import org.hourstone.kv.SchemaMode;
import org.hourstone.tsd.session.ExitCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A store on HBase that can't be opened is reported in one line, and soon. */
@NeedsHBase
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class HBaseOpeningTest {
  private final String prefix = "p" + UUID.randomUUID().toString().substring(0, 8) + "_";

  @Test
  void aQuorumThatDoesNotRespond() {
    assertFails(
        "hbase://127.0.0.1:1/hbase?timeout=2s",
        "HBase store hbase://127.0.0.1:1/hbase: cannot connect: no response");
  }

  @Test
  void aZooKeeperNodeWithoutHBase() {
    String wrong = HBaseProcess.sharedUri().replace("/hbase", "/nothing-here");

    assertFails(
        wrong,
        "HBase store " + wrong + ": no HBase has its data under this ZooKeeper node",
        "/nothing-here");
  }

  @Test
  void missingTables() {
    assertFails(
        HBaseProcess.sharedUri() + "?prefix=" + prefix,
        "missing families [tsdb:t, tsdb-meta:name, tsdb-tree:t, tsdb-uid:id, tsdb-uid:name]",
        "in tables whose names begin with " + prefix);
  }

  @Test
  void aTableWithoutTheFamily() {
    String uri = HBaseProcess.sharedUri() + "?prefix=" + prefix;
    try (KeyValueStore store = KeyValueStores.open(uri)) {
      List<FamilySpec> families = new ArrayList<>();
      families.add(new FamilySpec(new Family("tsdb", "other"), true));
      for (String name : List.of("id", "name")) {
        families.add(new FamilySpec(new Family("tsdb-uid", name), true));
      }
      store.ensure(families, SchemaMode.CREATE);
    }

    assertFails(uri, "missing families [tsdb:t");
  }

  @Test
  void aNamespaceThatIsNotThere() {
    String uri = HBaseProcess.sharedUri() + "?prefix=nowhere:";

    assertFails(uri, "missing families [tsdb:t", "in tables whose names begin with nowhere:");
    assertFails(
        uri,
        List.of("--set", "hourstone.storage.create_tables=true"),
        "cannot create nowhere:tsdb",
        "NamespaceNotFoundException: nowhere");
  }

  private static void assertFails(String uri, String... parts) {
    assertFails(uri, List.of(), parts);
  }

  private static void assertFails(String uri, List<String> options, String... parts) {
    List<String> args = new ArrayList<>(List.of("--store", uri));
    args.addAll(options);
    args.addAll(List.of("query", "1h-ago", "sum:sys.cpu"));

    CommandRun run = CommandRun.of(args.toArray(String[]::new));

    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.err()).startsWith("hourstone: ").contains(parts);
    assertThat(run.errLines()).hasSize(1);
  }
}
