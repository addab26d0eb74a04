package org.hourstone.tsd.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.KeyValueStores;
import org.hourstone.kv.SchemaMode;
import org.hourstone.tsd.CommandRun;
import org.hourstone.tsd.session.ExitCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CellsCommandTest {
  private final String store = CommandRun.newStore();

  @Test
  void everyCellIsALineOfJson() {
    CommandRun put =
        CommandRun.withInput(
            "put sys.cpu 1356998430 42 host=a\nput sys.cpu 1356998400500 0.5 host=a\n",
            "--store",
            store,
            "--set",
            "hourstone.write.packs=false",
            "put",
            "-");
    assertThat(put.exitCode()).isZero();

    assertThat(cells("data").out())
        .isEqualTo(
            """
            {"table":"tsdb","row":"00000150e22700000001000001","family":"t",\
            "qualifier":"01e0","value":"2a"}
            {"table":"tsdb","row":"00000150e22700000001000001","family":"t",\
            "qualifier":"f0007d0b","value":"3f000000"}
            """);
    assertThat(cells("uid").outLines())
        .hasSize(9)
        .contains(
            "{\"table\":\"tsdb-uid\",\"row\":\"000001\",\"family\":\"name\","
                + "\"qualifier\":\"6d657472696373\",\"value\":\"7379732e637075\"}",
            "{\"table\":\"tsdb-uid\",\"row\":\"7379732e637075\",\"family\":\"id\","
                + "\"qualifier\":\"6d657472696373\",\"value\":\"000001\"}");
  }

  @Test
  void tablesComeByNameRowsAscendAndFamiliesShareThem() {
    try (KeyValueStore open = KeyValueStores.open(store)) {
      put(open, "b", "y", 0x02);
      put(open, "b", "x", 0x02);
      put(open, "b", "x", 0xFF);
      put(open, "b", "y", 0x01);
      put(open, "a", "z", 0x03);
    }

    assertThat(cells().out())
        .isEqualTo(
            """
            {"table":"a","row":"03","family":"z","qualifier":"","value":"0003"}
            {"table":"b","row":"01","family":"y","qualifier":"","value":"0001"}
            {"table":"b","row":"02","family":"x","qualifier":"","value":"0002"}
            {"table":"b","row":"02","family":"y","qualifier":"","value":"0002"}
            {"table":"b","row":"ff","family":"x","qualifier":"","value":"00ff"}
            """);
    assertThat(cells("a").outLines()).hasSize(1);
  }

  @Test
  void writeTimesAreShownWhenAskedFor() {
    try (KeyValueStore open = KeyValueStores.open(store)) {
      put(open, "a", "z", 0x03);
    }

    assertThat(cells("--write-time").out()).matches("\\{.*\"value\":\"0003\",\"ts\":\\d{13}}\n");
  }

  @Test
  void aTableIsNamedByItsRoleTooUnlessOneIsCalledThat() {
    try (KeyValueStore open = KeyValueStores.open(store)) {
      put(open, "points", "t", 0x01);
    }
    CommandRun byRole =
        CommandRun.of(
            "--store", store, "--set", "tsd.storage.hbase.data_table=points", "cells", "data");
    assertThat(byRole.outLines()).hasSize(1);

    try (KeyValueStore open = KeyValueStores.open(store)) {
      put(open, "data", "t", 0x01);
      put(open, "data", "t", 0x02);
    }
    CommandRun byName =
        CommandRun.of(
            "--store", store, "--set", "tsd.storage.hbase.data_table=points", "cells", "data");
    assertThat(byName.outLines()).hasSize(2);
  }

  @Test
  void anUnknownTableIsAnErrorThatListsThem() {
    assertThat(cells("data").errLines())
        .containsExactly("hourstone: no table 'data'; there is none");
    try (KeyValueStore open = KeyValueStores.open(store)) {
      put(open, "a", "z", 0x03);
      put(open, "b", "z", 0x03);
    }

    CommandRun run = cells("data");

    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.errLines()).containsExactly("hourstone: no table 'data'; there are a, b");
  }

  @Test
  void aStoreThatIsNotThereIsNotMade(@TempDir Path directory) {
    Path data = directory.resolve("data");

    CommandRun run = CommandRun.of("--store", "rocksdb:" + data, "cells");

    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.err()).startsWith("hourstone: no data in " + data + " yet");
    assertThat(data).doesNotExist();
  }

  private static void put(KeyValueStore open, String table, String name, int row) {
    Family family = new Family(table, name);
    open.ensure(List.of(new FamilySpec(family, false)), SchemaMode.CREATE);
    open.put(family, new byte[] {(byte) row}, new byte[0], new byte[] {0, (byte) row});
  }

  private CommandRun cells(String... words) {
    String[] args = new String[words.length + 3];
    args[0] = "--store";
    args[1] = store;
    args[2] = "cells";
    System.arraycopy(words, 0, args, 3, words.length);
    return CommandRun.of(args);
  }
}
