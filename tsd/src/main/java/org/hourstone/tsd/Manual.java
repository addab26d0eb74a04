package org.hourstone.tsd;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.hourstone.tsd.session.Version;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * The manual page {@code hourstone.1} and the completion of bash, {@code hourstone.bash}, from what
 * {@code --help} shows. Packages are built with them; the program doesn't use this class.
 */
final class Manual {
  private static final String ENDING =
      """
      .SH EXIT STATUS
      .TP
      .B 0
      Done.
      .TP
      .B 1
      Not done, or only in part: standard error has the reason.
      .TP
      .B 2
      Wrong usage; of tsd also a wrong setting.
      .TP
      .B 3
      The store failed; only of uid and mkmetric.
      .TP
      .B 70
      A bug in Hourstone.
      .SH ENVIRONMENT
      .TP
      .B JAVA_HOME
      The Java to run with, 17 or newer; by default java in PATH.
      .TP
      .B HOURSTONE_OPTS
      Options for the JVM, such as \\-Xmx4g.
      .TP
      .B HOURSTONE_STORE
      The store if \\-\\-store names none.
      .TP
      .B HOURSTONE_CONFIG
      The settings file if \\-\\-config names none.
      .TP
      .B HOURSTONE_CLASSPATH
      More jars, such as that of a store of your own.
      .SH FILES
      .TP
      .I /etc/hourstone/hourstone.conf
      All settings with their defaults; conf/hourstone.conf if Hourstone is installed from its archive.
      .TP
      .I /usr/share/doc/hourstone/docs
      The documentation.
      """;

  private final StringBuilder page = new StringBuilder();

  private Manual() {}

  /** Writes both files into the directory that the argument names. */
  public static void main(String[] args) throws IOException {
    Path directory = Files.createDirectories(Path.of(args[0]));
    CommandLine program = Main.model();
    Files.writeString(directory.resolve("hourstone.1"), page(program));
    Files.writeString(directory.resolve("hourstone.bash"), AutoComplete.bash("hourstone", program));
  }

  static String page(CommandLine program) {
    Manual manual = new Manual();
    manual.line(".TH HOURSTONE 1 \"\" \"hourstone " + Version.build().version() + "\"");
    manual.line(".SH NAME");
    manual.text("hourstone - a time-series database in OpenTSDB's storage format");
    manual.line(".SH SYNOPSIS");
    manual.synopsis(program);
    manual.line(".SH DESCRIPTION");
    UsageMessageSpec usage = program.getCommandSpec().usageMessage();
    manual.paragraphs(usage.description());
    manual.line(".SH OPTIONS");
    manual.text("They may precede or follow the command.");
    manual.options(program.getCommandSpec(), true);
    manual.line(".SH COMMANDS");
    manual.commands(program);
    manual.line(".SH EXAMPLES");
    manual.examples(usage.footer());
    return manual.page + ENDING;
  }

  private void commands(CommandLine parent) {
    for (CommandLine each : parent.getSubcommands().values()) {
      CommandSpec command = each.getCommandSpec();
      UsageMessageSpec usage = command.usageMessage();
      if (usage.hidden() || command.name().equals("help")) {
        continue;
      }
      line(".SS " + escaped(command.qualifiedName()));
      synopsis(each);
      line(".PP");
      paragraphs(usage.description());
      for (PositionalParamSpec parameter : command.positionalParameters()) {
        if (!parameter.hidden() && parameter.description().length > 0) {
          described("\\fI" + escaped(parameter.paramLabel()) + "\\fR", parameter);
        }
      }
      options(command, false);
      if (usage.footer().length > 0) {
        line(".PP");
        line("Examples:");
        examples(usage.footer());
      }
      commands(each);
    }
  }

  private void synopsis(CommandLine command) {
    List<String> lines = List.of(command.getCommandSpec().usageMessage().customSynopsis());
    if (lines.isEmpty()) {
      String one = command.getHelp().synopsis(0).replaceAll("\\s+", " ").strip();
      lines = List.of(one.replace(" [-hV]", ""));
    }
    for (int i = 0; i < lines.size(); i++) {
      if (i > 0) {
        line(".br");
      }
      text(lines.get(i));
    }
  }

  /** A line that is indented is a line of its own, as in the help. */
  private void paragraphs(String[] lines) {
    for (String each : lines) {
      String text = Ansi.OFF.string(each.formatted());
      if (text.isBlank()) {
        line(".PP");
      } else {
        if (text.startsWith(" ")) {
          line(".br");
        }
        text(text.strip());
      }
    }
  }

  private void options(CommandSpec command, boolean standard) {
    List<OptionSpec> options = new ArrayList<>(command.options());
    options.sort(Comparator.comparingInt(OptionSpec::order)); // as in the help
    for (OptionSpec option : options) {
      boolean help = option.usageHelp() || option.versionHelp();
      if (option.hidden() || (help && !standard)) {
        continue;
      }
      List<String> names = new ArrayList<>();
      for (String name : option.names()) {
        names.add("\\fB" + escaped(name) + "\\fR");
      }
      String value =
          option.arity().max() == 0 ? "" : "=\\fI" + escaped(option.paramLabel()) + "\\fR";
      described(String.join(", ", names) + value, option);
    }
  }

  private void described(String term, ArgSpec argument) {
    line(".TP");
    line(term);
    paragraphs(argument.description());
  }

  private void examples(String[] lines) {
    line(".PP");
    line(".nf");
    for (String each : lines) {
      text(each.formatted());
    }
    line(".fi");
  }

  /** A line of text, which is no request of roff whatever it begins with. */
  private void text(String text) {
    String escaped = escaped(text);
    line(escaped.startsWith(".") || escaped.startsWith("'") ? "\\&" + escaped : escaped);
  }

  /** Minus signs and quotes as they are typed, so that what is copied from the page works. */
  private static String escaped(String text) {
    return text.replace("\\", "\\e")
        .replace("-", "\\-")
        .replace("'", "\\(aq")
        .replace("`", "\\(ga")
        .replace("^", "\\(ha")
        .replace("~", "\\(ti");
  }

  private void line(String line) {
    page.append(line).append('\n');
  }
}
