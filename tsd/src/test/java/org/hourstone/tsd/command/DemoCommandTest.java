package org.hourstone.tsd.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.hourstone.tsd.CommandRun;
import org.hourstone.tsd.session.ExitCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoCommandTest {
  @TempDir Path directory;

  @Test
  void realDataIsStoredAndShownAsTableAndChart() {
    CommandRun run = CommandRun.of("--store", "rocksdb:" + directory, "demo");

    assertThat(run.exitCode()).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(run.out())
        .contains("321,206 points stored from 1 file")
        .contains("49 points repeat a timestamp of their series")
        .contains("\n  2015-01-27T00:00:00Z  232058.0\n")
        .contains("machine.temperature {machine=m1}\n103.531 ┤")
        .contains("\n  hourstone --store rocksdb:" + directory + " cells data | head -n 3\n");
    assertThat(CommandRun.of("--store", "rocksdb:" + directory, "cells", "uid").outLines())
        .hasSizeGreaterThan(100);
  }

  @Test
  void strictModeAndOtherWidthsShowTheSame() {
    CommandRun strict =
        CommandRun.of(
            "--store",
            CommandRun.newStore(),
            "--opentsdb-defaults",
            "--set",
            "tsd.storage.salt.width=1",
            "--set",
            "tsd.storage.uid.width.metric=4",
            "demo");

    assertThat(strict.exitCode()).isZero();
    assertThat(strict.out())
        .contains("\n  2015-01-27T00:00:00Z  232058.0\n")
        .contains("./data-demo query ")
        .contains("The data is discarded now");
  }

  @Test
  void theDirectoryOfAnEarlierDemoIsReplaced() throws IOException {
    Path data = directory.resolve("data");
    DemoDirectory.prepare(data);
    DemoDirectory.mark(data);
    Files.createDirectory(data.resolve("native"));
    Files.writeString(data.resolve("native/old"), "old");

    DemoDirectory.prepare(data);

    try (var left = Files.list(data)) {
      assertThat(left).as("files left").isEmpty();
    }
  }

  @Test
  void nobodysDataIsTouched() throws IOException {
    Path precious = Files.writeString(directory.resolve("precious"), "data");

    CommandRun run = CommandRun.of("--store", "rocksdb:" + directory, "demo");

    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.errLines())
        .containsExactly(
            "hourstone: "
                + directory
                + " is not empty and not from an earlier demo: name another with --store");
    assertThat(precious).hasContent("data");
    CommandRun aFile = CommandRun.of("--store", "rocksdb:" + precious, "demo");
    assertThat(aFile.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(precious).hasContent("data");
  }
}
