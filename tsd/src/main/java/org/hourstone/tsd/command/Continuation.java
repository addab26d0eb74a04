package org.hourstone.tsd.command;

import java.util.List;
import java.util.stream.Collectors;
import org.hourstone.tsd.session.ProgramName;
import org.hourstone.tsd.terminal.ShellWord;

/** The command that continues with a file where an earlier one has stopped. */
final class Continuation {
  private Continuation() {}

  /**
   * Continues after a line.
   *
   * @param header the number of the line that names the columns, which is needed again; 0 if there
   *     is none
   * @param options of the program, such as those of the store, each after a blank
   * @param command with its options
   * @param later the files that follow
   */
  static String of(
      String file, long line, long header, String options, String command, List<String> later) {
    if (file.equals(ImportInput.STANDARD_INPUT)) {
      String from = command + " from line " + (line + 1);
      return header > 0 ? from + ", after line " + header : from;
    }
    boolean zipped = file.endsWith(ImportInput.GZIP_SUFFIX);
    String rest = header > 0 ? "sed " + (header + 1) + "," + line + "d" : "tail -n +" + (line + 1);
    return (zipped ? "zcat " + ShellWord.of(file) + " | " + rest : rest + " " + ShellWord.of(file))
        + " | "
        + ProgramName.get()
        + options
        + " "
        + command
        + " -"
        + later.stream().map(each -> " " + ShellWord.of(each)).collect(Collectors.joining());
  }
}
