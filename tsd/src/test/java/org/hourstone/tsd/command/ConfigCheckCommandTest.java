package org.hourstone.tsd.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.hourstone.tsd.CommandRun;
import org.hourstone.tsd.session.ExitCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code config check} says what the settings of OpenTSDB mean here. */
class ConfigCheckCommandTest {
  @TempDir Path directory;

  private String file(String text) throws IOException {
    return Files.writeString(directory.resolve("opentsdb.conf"), text).toString();
  }

  @Test
  void eachSettingIsExplained() throws IOException {
    String file =
        file(
            """
            # a comment that ends with a backslash \\
            tsd.network.port = 4243
            tsd.core.auto_create_metrics = enabled
            tsd.storage.max_tags = 8
            tsd.network.backlog = 3072
            tsd.search.plugin = net.example.\\
                Search
            tsd.core.enable_ui = true
            tsd.storage.hbase.zk_quorum = a,b
            tsd.storage.salt.withd = 1
            something.else = 1
            hourstone.query.damaged_rows = skip
            tsd.storage.max_tags = 16
            """);

    CommandRun run = CommandRun.of("config", "check", file);

    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isZero();
    assertThat(run.outLines())
        .containsSubsequence(
            "unknown:",
            "  10: tsd.storage.salt.withd=1: it is ignored; did you mean tsd.storage.salt.width?",
            "  11: something.else=1: it is ignored",
            "without effect:",
            "  4: tsd.storage.max_tags=8: it is set again in line 13",
            "  6: tsd.search.plugin=net.example.Search: it is not supported",
            "different from OpenTSDB:",
            "  3: tsd.core.auto_create_metrics=enabled: it means false: only true, 1 and yes mean"
                + " true",
            "  tsd.core.bulk.allow_out_of_order_timestamps=true: it is not in the file, and"
                + " OpenTSDB's default is false",
            "as in OpenTSDB:",
            "  2: tsd.network.port=4243",
            "  8: tsd.core.enable_ui=true: it is always so",
            "  13: tsd.storage.max_tags=16");
    assertThat(run.out())
        .contains("5: tsd.network.backlog=3072: it is for OpenTSDB's network")
        .contains("12: hourstone.query.damaged_rows=skip: it is ignored; its name is hourstone.")
        .contains("9: tsd.storage.hbase.zk_quorum=a,b: it names the store");
  }

  @Test
  void anInvalidValueIsAnErrorWithItsLineAndKey() throws IOException {
    String file = file("\ntsd.storage.max_tags=many\n");

    CommandRun run = CommandRun.of("--opentsdb-defaults", "config", "check", file);

    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.err())
        .isEqualTo(
            "hourstone: "
                + file
                + ":2: tsd.storage.max_tags=many: must be a number of tags, 1 or more\n");
    assertThat(run.out()).isEmpty();
  }

  @Test
  void asJson() throws IOException {
    String file = file("tsd.core.enable_ui=false\n");

    CommandRun run = CommandRun.of("--opentsdb-defaults", "config", "check", "--json", file);

    assertThat(run.out())
        .isEqualTo(
            "[{\"kind\":\"no_effect\",\"line\":1,\"key\":\"tsd.core.enable_ui\","
                + "\"value\":\"false\",\"note\":\"it is not supported\"}]\n");
  }

  @Test
  void aFileThatCannotBeReadIsAnError() throws IOException {
    assertThat(CommandRun.of("config", "check", directory.resolve("none").toString()).err())
        .contains("settings ", "none: ");
    assertThat(CommandRun.of("config", "check", file("a=1\nb=\\u12\n")).err())
        .contains("opentsdb.conf:2: ");
    assertThat(CommandRun.of("config").err()).startsWith("hourstone: no command given\n");
  }
}
