package org.hourstone.tsd.terminal;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The streams of a command.
 *
 * @param in standard input
 * @param out standard output: results
 * @param err standard error: warnings, errors and progress
 * @param outIsTerminal whether {@code out} is a terminal
 * @param errIsTerminal whether {@code err} is a terminal, so that a line may be redrawn
 * @param columns the width of the terminal
 */
public record Streams(
    InputStream in,
    OutputStream out,
    OutputStream err,
    boolean outIsTerminal,
    boolean errIsTerminal,
    int columns,
    Map<String, String> environment) {
  private static final int DEFAULT_COLUMNS = 80;
  private static final int FEWEST_COLUMNS = 20;

  /** Streams with an empty environment. */
  public Streams(
      InputStream in,
      OutputStream out,
      OutputStream err,
      boolean outIsTerminal,
      boolean errIsTerminal,
      int columns) {
    this(in, out, err, outIsTerminal, errIsTerminal, columns, Map.of());
  }

  /**
   * The streams of the process. Java can determine neither whether its streams are terminals nor
   * their width, so the launcher passes both as properties. {@link System#out} is not used, since
   * it hides write errors.
   */
  public static Streams system() {
    return new Streams(
        StandardInput.open(),
        new FileOutputStream(FileDescriptor.out),
        new FileOutputStream(FileDescriptor.err),
        Boolean.getBoolean("hourstone.stdout.terminal"),
        Boolean.getBoolean("hourstone.stderr.terminal"),
        columns(System.getProperty("hourstone.columns"), System.getenv()),
        System.getenv());
  }

  static int columns(@Nullable String measured, Map<String, String> environment) {
    String text = measured != null ? measured : environment.getOrDefault("COLUMNS", "");
    return text.matches("[0-9]{1,4}")
        ? Math.max(FEWEST_COLUMNS, Integer.parseInt(text))
        : DEFAULT_COLUMNS;
  }
}
