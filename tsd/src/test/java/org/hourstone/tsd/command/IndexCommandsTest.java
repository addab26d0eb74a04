package org.hourstone.tsd.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.hourstone.tsd.CommandRun;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IndexCommandsTest {
  private String store = CommandRun.newStore();

  private CommandRun run(String... words) {
    List<String> args = new ArrayList<>(List.of("--store", store));
    args.addAll(List.of(words));
    return CommandRun.of(args.toArray(String[]::new));
  }

  /** Three series of one metric and one of another. */
  private void put(String... options) {
    List<String> args = new ArrayList<>(List.of("--store", store));
    args.addAll(List.of(options));
    args.addAll(List.of("put", "-"));
    CommandRun put =
        CommandRun.withInput(
            """
            put sys.cpu 1356998400 1 host=a dc=x
            put sys.cpu 1356998400 1 host=b dc=x
            put sys.cpu 1357002000 1 host=b dc=x
            put sys.cpu 1356998400 1 host=c
            put sys.mem 1356998400 1 host=a
            """,
            args.toArray(String[]::new));
    assertThat(put.err()).isEmpty();
    assertThat(put.exitCode()).isZero();
  }

  @Test
  void theIndexOfANewStoreIsComplete() {
    put();
    CommandRun status = run("index", "status");
    assertThat(status.exitCode()).isZero();
    assertThat(status.outLines())
        .containsExactly("the series index in tsdb-index is complete", "4 series of 2 metrics");
  }

  @Test
  void anOldStoreGetsAnIndexByRebuilding() {
    put("--set", "hourstone.index.enable=false");
    CommandRun before = run("index", "status");
    assertThat(before.exitCode()).isEqualTo(1);
    assertThat(before.out()).contains("queries read the data table instead");
    assertThat(run("index", "cardinality", "sys.cpu").exitCode()).isEqualTo(1);

    CommandRun rebuild = run("index", "rebuild");
    assertThat(rebuild.exitCode()).isZero();
    assertThat(rebuild.outLines())
        .containsExactly("5 rows read, 4 series entered; the index is complete");
    assertThat(run("index", "status").exitCode()).isZero();
    assertThat(run("index", "rebuild").out()).startsWith("5 rows read, 0 series entered");
  }

  @Test
  void seriesAndValuesAreCounted() {
    put();
    assertThat(run("index", "cardinality", "sys.cpu").outLines())
        .containsExactly(
            "           3  sys.cpu", "           3  host, 3 values", "           2  dc, 1 value");
    assertThat(run("index", "cardinality", "sys.cpu", "host", "--top", "2").outLines())
        .containsExactly(
            "           3  host, 3 values", "           1  host=a", "           1  host=b");
    CommandRun unknown = run("index", "cardinality", "nosuch");
    assertThat(unknown.exitCode()).isEqualTo(1);
    assertThat(unknown.err()).contains("nosuch");
    assertThat(run("index", "cardinality", "sys.cpu", "--top", "0").exitCode()).isEqualTo(2);
  }

  @Test
  void seriesAreLookedUpInWhateverThereIs() {
    put();
    String[] lookup = {"search", "lookup", "sys.cpu", "dc=x"};
    List<String> series =
        List.of(
            "000001000001000001000002000002 sys.cpu dc=x host=a",
            "000001000001000003000002000002 sys.cpu dc=x host=b");
    assertThat(run(lookup).outLines()).isEqualTo(series);
    assertThat(
            run("--set", "hourstone.index.enable=false", lookup[0], lookup[1], "sys.cpu", "dc=x")
                .outLines())
        .isEqualTo(series);
    assertThat(run("search", "lookup", "--use-data-table", "sys.cpu", "dc=x").outLines())
        .isEqualTo(series);
    assertThat(
            run("--opentsdb-defaults", "search", "lookup", "--use-data-table", "sys.cpu", "dc=*")
                .outLines())
        .describedAs("a series for each row")
        .hasSize(3);
    assertThat(run("search", "lookup", "*=a").outLines()).hasSize(2);
    assertThat(run("search", "lookup", "*", "host=a", "host=c").outLines()).hasSize(3);
    assertThat(run("search", "lookup", "sys.cpu", "--limit", "1").outLines()).hasSize(1);
    CommandRun none = run("search", "lookup", "sys.mem", "dc=*");
    assertThat(none.exitCode()).isEqualTo(1);
    assertThat(none.out()).isEmpty();
    assertThat(run("search", "lookup", "sys.mem", "dc=").exitCode()).isEqualTo(2);
  }

  @Test
  void loadedCellsAreEntered(@TempDir Path directory) {
    put();
    String cells = run("cells", "--write-time").out();
    assertThat(cells).doesNotContain("tsdb-index");
    assertThat(run("cells", "index").out()).contains("tsdb-index");
    String all = cells + run("cells", "index", "--write-time").out();
    store = "rocksdb:" + directory.resolve("copy");
    CommandRun load = CommandRun.withInput(all, "--store", store, "load-cells", "-");
    assertThat(load.exitCode()).isZero();
    assertThat(run("index", "status").outLines())
        .containsExactly("the series index in tsdb-index is complete", "4 series of 2 metrics");
    assertThat(run("search", "lookup", "sys.cpu").outLines()).hasSize(3);
  }

  @Test
  void aStoreThatIsNotThereIsNotMade(@TempDir Path directory) {
    store = "rocksdb:" + directory.resolve("none");
    for (String command : List.of("status", "rebuild")) {
      assertThat(run("index", command).err()).contains("no data in");
    }
    assertThat(directory.resolve("none")).doesNotExist();
    assertThat(run("index").exitCode()).isEqualTo(2);
  }
}
