package org.hourstone.tsd;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

class ManualTest {
  /** Those of the man macros that the page may use; a typo would be skipped by roff in silence. */
  private static final Set<String> REQUESTS =
      Set.of(".TH", ".SH", ".SS", ".TP", ".PP", ".br", ".nf", ".fi", ".B", ".I");

  private final CommandLine program = Main.model();
  private final String page = Manual.page(program);

  @Test
  void thePageHasEveryCommandWithItsOptions() {
    List<String> missing = new ArrayList<>();
    collectMissing(program, missing);

    assertThat(missing).isEmpty();
    assertThat(page)
        .contains(".SS hourstone query\n", ".SS hourstone backup verify\n", "\n.B 70\n");
  }

  private void collectMissing(CommandLine parent, List<String> missing) {
    for (CommandLine each : parent.getSubcommands().values()) {
      String name = each.getCommandSpec().qualifiedName();
      if (each.getCommandSpec().usageMessage().hidden() || name.equals("hourstone help")) {
        continue;
      }
      int start = page.indexOf("\n.SS " + name.replace("-", "\\-") + "\n");
      String section = start < 0 ? "" : page.substring(start, page.indexOf("\n.S", start + 1));
      for (OptionSpec option : each.getCommandSpec().options()) {
        boolean shown =
            section.contains("\\fB" + option.longestName().replace("-", "\\-") + "\\fR");
        if (shown == (option.hidden() || option.usageHelp() || option.versionHelp())) {
          missing.add(name + " " + option.longestName());
        }
      }
      collectMissing(each, missing);
    }
  }

  @Test
  void noTextIsTakenForARequest() {
    assertThat(page.lines().filter(line -> line.startsWith(".") || line.startsWith("'")))
        .allSatisfy(line -> assertThat(REQUESTS).contains(line.split(" ", 2)[0]));
  }

  @ParameterizedTest
  @CsvSource({
    "hourstone que, query",
    "hourstone query --ch, --chart",
    "hourstone backup ver, verify",
    "hourstone --st, --store"
  })
  void bashCompletes(String words, String expected, @TempDir Path directory)
      throws IOException, InterruptedException {
    Manual.main(new String[] {directory.toString()});
    String script =
        "compopt() { :; }; source hourstone.bash; read -ra COMP_WORDS <<< '%s'; COMP_CWORD=$((${#COMP_WORDS[@]} - 1));"
                .formatted(words)
            + "_complete_hourstone; echo \"${COMPREPLY[*]}\"";
    Process bash =
        new ProcessBuilder("bash", "-c", script)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .start();
    String output = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(bash.waitFor()).isZero();
    assertThat(output.strip().split("\\s+")).contains(expected);
  }
}
