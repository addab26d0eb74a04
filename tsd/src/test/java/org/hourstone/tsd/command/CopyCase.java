package org.hourstone.tsd.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.hourstone.tsd.CommandRun;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Copies of a small store. */
abstract class CopyCase {
  static final String UTC = "tsd.core.timezone=UTC";

  private static final String POINTS =
      """
      put m.a 1356998400 1 host=a
      put m.a 1356998460 2 host=a
      put m.a 1356998400 3 host=b
      put m.a 1357002000 4 host=a
      put m.b 1356998400 5 host=a
      """;

  final String from = CommandRun.newStore();
  final String to = CommandRun.newStore();
  @TempDir Path directory;

  CommandRun copy(String... words) {
    List<String> args = new ArrayList<>(List.of("--set", UTC, "copy", from, to));
    args.addAll(List.of(words));
    return CommandRun.of(args.toArray(String[]::new));
  }

  static String cells(String store, String... words) {
    List<String> args = new ArrayList<>(List.of("--store", store, "cells"));
    args.addAll(List.of(words));
    return CommandRun.of(args.toArray(String[]::new)).out();
  }

  static void load(String store, String row, String qualifier, String value, int ts) {
    String line =
        "{\"table\":\"tsdb\",\"row\":\"%s\",\"family\":\"t\",\"qualifier\":\"%s\",\"value\":\"%s\",\"ts\":%d}"
            .formatted(row, qualifier, value, ts);
    CommandRun run =
        CommandRun.withInput(line, "--store", store, "load-cells", "--into-nonempty", "-");
    assertThat(run.exitCode()).isZero();
  }

  @BeforeEach
  void makeATable() {
    CommandRun run =
        CommandRun.withInput(
            POINTS,
            "--store",
            from,
            "--set",
            "tsd.core.meta.enable_tsuid_tracking=true",
            "put",
            "-");
    assertThat(run.exitCode()).isZero();
  }
}
