package org.hourstone.tsd.command;

import java.util.List;
import java.util.stream.Collectors;
import org.hourstone.tsd.session.ProgramName;

/** The command that continues with a file where an earlier one has stopped. */
final class Continuation {
  private Continuation() {}

  /**
   * Continues after a line.
   *
   * @param header the number of the line that names the columns, which is needed again; 0 if there
   *     is none
   * @param command with its options, but for those of the store
   * @param later the files that follow
   */
  static String of(String file, long line, long header, String command, List<String> later) {
    if (file.equals(ImportInput.STANDARD_INPUT)) {
      String from = command + " from line " + (line + 1);
      return header > 0 ? from + ", after line " + header : from;
    }
    boolean zipped = file.endsWith(ImportInput.GZIP_SUFFIX);
    String rest = header > 0 ? "sed " + (header + 1) + "," + line + "d" : "tail -n +" + (line + 1);
    return (zipped ? "zcat " + word(file) + " | " + rest : rest + " " + word(file))
        + " | "
        + ProgramName.get()
        + " … "
        + command
        + " -"
        + later.stream().map(each -> " " + word(each)).collect(Collectors.joining());
  }

  /** A name, quoted as a word of the shell if necessary. */
  private static String word(String name) {
    boolean plain = name.matches("[\\p{L}\\p{N}_./:@%+=,][\\p{L}\\p{N}_./:@%+=,-]*");
    return plain ? name : "'" + name.replace("'", "'\\''") + "'";
  }
}
