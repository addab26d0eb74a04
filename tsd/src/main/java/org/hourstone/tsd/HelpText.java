package org.hourstone.tsd;

import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi.Text;
import picocli.CommandLine.Help.ColorScheme;
import picocli.CommandLine.Help.IOptionRenderer;
import picocli.CommandLine.Help.IParameterRenderer;
import picocli.CommandLine.Model.CommandSpec;

/**
 * The text of {@code --help}. Lines are broken only between words; lines of examples are not
 * broken, since users copy them. Picocli also breaks lines within names of settings and files and
 * within expressions.
 */
final class HelpText extends Help {
  private static final String USAGE = "Usage: ";
  private static final String OR = "   or: ";

  /** Characters at which picocli breaks lines; each has a replacement at which it doesn't. */
  private static final String BREAKS = ".,:;/|(){}[]…";

  private static final char UNBROKEN = '\ue000'; // a private-use character, like those that follow

  HelpText(CommandSpec command, ColorScheme scheme) {
    super(command, scheme);
  }

  private int width() {
    return commandSpec().usageMessage().width();
  }

  @Override
  public String customSynopsis(Object... parameters) {
    StringBuilder text = new StringBuilder();
    for (String line : commandSpec().usageMessage().customSynopsis()) {
      text.append(text.isEmpty() ? "" : OR);
      wrap(line, USAGE.length(), USAGE.length(), text);
    }
    return text.toString();
  }

  @Override
  public String description(Object... parameters) {
    StringBuilder text = new StringBuilder();
    for (String line : commandSpec().usageMessage().description()) {
      wrap(line.formatted(parameters), 0, 0, text);
    }
    return text.toString();
  }

  @Override
  public String footer(Object... parameters) {
    StringBuilder text = new StringBuilder();
    for (String line : commandSpec().usageMessage().footer()) {
      text.append(line.formatted(parameters)).append(System.lineSeparator());
    }
    return text.toString();
  }

  /**
   * Appends lines of words.
   *
   * @param at the column of the first word
   * @param indent the column of the first word of each further line
   */
  private void wrap(String line, int at, int indent, StringBuilder text) {
    int column = at;
    String space = "";
    for (String word : line.split(" ", -1)) {
      if (!space.isEmpty() && column + 1 + word.length() > width()) {
        text.append(System.lineSeparator()).append(" ".repeat(indent));
        column = indent;
        space = "";
      }
      text.append(space).append(word);
      column += space.length() + word.length();
      space = " ";
    }
    text.append(System.lineSeparator());
  }

  @Override
  public String optionList() {
    return restored(super.optionList());
  }

  @Override
  public String parameterList() {
    return restored(super.parameterList());
  }

  @Override
  public String parameterListHeading(Object... parameters) {
    return parameterList().isBlank() ? "" : super.parameterListHeading(parameters);
  }

  @Override
  public IOptionRenderer createDefaultOptionRenderer() {
    IOptionRenderer renderer = super.createDefaultOptionRenderer();
    return (option, labels, scheme) -> unbroken(renderer.render(option, labels, scheme), scheme);
  }

  @Override
  public IParameterRenderer createDefaultParameterRenderer() {
    IParameterRenderer renderer = super.createDefaultParameterRenderer();
    return (param, labels, scheme) -> unbroken(renderer.render(param, labels, scheme), scheme);
  }

  /** The rows of a table, with a description in the last column. */
  private static Text[][] unbroken(Text[][] rows, ColorScheme scheme) {
    for (Text[] row : rows) {
      row[row.length - 1] = scheme.text(unbroken(row[row.length - 1].plainString()));
    }
    return rows;
  }

  private static String unbroken(String text) {
    StringBuilder unbroken = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      int at = BREAKS.indexOf(c);
      unbroken.append(at < 0 ? c : (char) (UNBROKEN + at));
    }
    return unbroken.toString();
  }

  private static String restored(String text) {
    StringBuilder restored = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      int at = c - UNBROKEN;
      restored.append(at >= 0 && at < BREAKS.length() ? BREAKS.charAt(at) : c);
    }
    return restored.toString();
  }
}
