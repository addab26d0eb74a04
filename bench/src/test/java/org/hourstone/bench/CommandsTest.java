package org.hourstone.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.hourstone.bench.Arguments.UsageException;
import org.junit.jupiter.api.Test;

class CommandsTest {
  private static final Path PAGE = Path.of("../docs/performance.md");
  private static final Path RELIABILITY = Path.of("../docs/reliability.md");
  private static final Pattern BLOCK =
      Pattern.compile("^<!-- bench/run (.*) -->$\\n([^<]*)^(<!-- .* -->)$", Pattern.MULTILINE);

  @Test
  void everyBlockOfThePageIsOfACommandThatTakesItsArguments() throws IOException {
    List<MatchResult> blocks = BLOCK.matcher(Files.readString(PAGE)).results().toList();
    assertThat(blocks).hasSizeGreaterThan(5);
    assertThat(blocks).extracting(block -> block.group(3)).containsOnly("<!-- end -->");
    for (MatchResult block : blocks) {
      String[] words = block.group(1).split(" ");
      Arguments.parse(
          Arrays.copyOfRange(words, 1, words.length), Commands.named(words[0]).defaults());
    }
  }

  @Test
  void aPageShowsFiguresOfEveryCommand() throws IOException {
    String pages = Files.readString(PAGE) + Files.readString(RELIABILITY);
    assertThat(Commands.ALL.keySet())
        .allMatch(
            command ->
                pages.contains("<!-- bench/run " + command)
                    || pages.contains("| `bench/run " + command + " "));
  }

  @Test
  void argumentsOfOneNameAreWrittenInOneWay() {
    assertThat(Commands.ALL.values())
        .allMatch(command -> command.defaults().containsKey("dir"))
        .flatExtracting(command -> command.defaults().keySet())
        .allMatch(name -> name.matches("[a-z]+(-[a-z]+)*"))
        .doesNotContain("stores", "again");
  }

  @Test
  void helpNamesCommandsAndArguments() throws Exception {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    Commands.run(new String[] {"help"}, new PrintStream(printed, true, UTF_8));
    assertThat(printed.toString(UTF_8))
        .contains("bench/run jmh", "\npeer: Sends ", "\n  --warm-runs 30000 ");
  }

  @Test
  void theValuesInTheHelpAreOfArguments() {
    assertThat(Commands.ALL.values())
        .flatExtracting(command -> command.defaults().keySet())
        .containsAll(Help.VALUES.keySet());
  }

  @Test
  void everyCommandSaysWhatItDoes() {
    assertThat(Commands.ALL.values())
        .extracting(Commands.Command::does)
        .allMatch(does -> does.endsWith("."));
  }

  @Test
  void anUnknownArgumentIsNamed() {
    assertThatThrownBy(() -> Commands.run(new String[] {"query", "--stores", "x"}, System.out))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("'--stores'");
  }

  @Test
  void anUnknownCommandIsNamed() {
    assertThatThrownBy(() -> Commands.run(new String[] {"qeury"}, System.out))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("'qeury'");
  }
}
