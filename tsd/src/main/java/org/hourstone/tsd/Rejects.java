package org.hourstone.tsd;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * The file of the lines that an import has rejected, each after a comment with its place and the
 * reason. Corrected, it can be imported.
 */
final class Rejects implements AutoCloseable {
  private final Path path;
  private final BufferedWriter out;
  private String columns = "";
  private String written = "";

  /**
   * Opens the file.
   *
   * @param append whether to keep what is in it
   * @param inputs the files that are imported
   */
  Rejects(Path path, boolean append, List<String> inputs) {
    this.path = path;
    OpenOption[] how =
        append
            ? new OpenOption[] {StandardOpenOption.CREATE, StandardOpenOption.APPEND}
            : new OpenOption[] {
              StandardOpenOption.CREATE,
              StandardOpenOption.WRITE,
              StandardOpenOption.TRUNCATE_EXISTING
            };
    try {
      for (String input : inputs) {
        if (Files.exists(path)
            && Files.exists(Path.of(input))
            && Files.isSameFile(path, Path.of(input))) {
          throw new UsageException("--rejects " + path + ": is one of the files to import");
        }
      }
      // Not newBufferedWriter, which fails for a reason that shows half a character.
      this.out =
          new BufferedWriter(
              new OutputStreamWriter(Files.newOutputStream(path, how), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw failure(e);
    }
  }

  /** The lines from now on are CSV, whose first line this is. */
  void columns(String line) {
    columns = line;
  }

  void add(String place, String reason, String line) {
    try {
      String comment = place + ": " + reason;
      if (!columns.isEmpty()) {
        out.write(columns.equals(written) ? "" : columns + "\n");
        written = columns;
        comment = comment.replace(',', ';'); // else it is a record
      }
      out.write("# " + comment + "\n" + (line.isEmpty() ? "" : line + "\n"));
    } catch (IOException e) {
      throw failure(e);
    }
  }

  void flush() {
    try {
      out.flush();
    } catch (IOException e) {
      throw failure(e);
    }
  }

  private CommandException failure(IOException e) {
    return new CommandException("--rejects " + path + ": " + Problem.reason(e), e);
  }

  @Override
  public void close() {
    try {
      out.close();
    } catch (IOException e) {
      throw failure(e);
    }
  }
}
