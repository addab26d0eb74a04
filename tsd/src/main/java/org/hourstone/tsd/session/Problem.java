package org.hourstone.tsd.session;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.regex.PatternSyntaxException;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.error.TsdbException;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.UnreadableRowsException;
import org.hourstone.tsd.terminal.ClosedInputException;
import org.hourstone.tsd.terminal.OutputException;
import org.hourstone.write.SingleLine;

/**
 * The error that has ended a command, as shown to the user.
 *
 * @param message on one line
 * @param exitCode see {@link ExitCode}
 */
public record Problem(String message, int exitCode) {
  public static Problem of(Throwable e) {
    if (e instanceof UncheckedIOException io && io.getCause() != null) {
      return failed(reason(io.getCause()));
    }
    if (e instanceof IOException io) {
      return failed(reason(io));
    }
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof PatternSyntaxException regex
          && String.valueOf(e.getMessage()).equals(regex.getMessage())) {
        return failed(badPattern(regex));
      }
    }
    if (e instanceof UsageException) {
      return new Problem(SingleLine.of(String.valueOf(e.getMessage())), ExitCode.USAGE);
    }
    if (e instanceof NotComparedException) {
      return new Problem(SingleLine.of(String.valueOf(e.getMessage())), ExitCode.NOT_COMPARED);
    }
    if (e instanceof ClosedInputException) {
      return new Problem(String.valueOf(e.getMessage()), ExitCode.USAGE);
    }
    if (e instanceof UnreadableRowsException rows) {
      return failed(
          rows.rows()
              + " (--skip-unreadable of fsck, copy, scan and cells skips them): "
              + rows.reason());
    }
    if (isExpected(e)) {
      return failed(String.valueOf(e.getMessage()));
    }
    return new Problem(
        SingleLine.of("unexpected " + e + " (--debug shows where; please report it)"),
        ExitCode.BUG);
  }

  private static Problem failed(String message) {
    return new Problem(SingleLine.of(message), ExitCode.FAILED);
  }

  /** Whether an exception's message is intended for users. */
  private static boolean isExpected(Throwable e) {
    return e instanceof CommandException
        || e instanceof OutputException
        || e instanceof TsdbException
        || e instanceof CorruptDataException
        || e instanceof StoreException;
  }

  /**
   * The reason why a file can't be used: the message of a JDK exception is often only the file's
   * name.
   */
  public static String reason(IOException e) {
    if (e instanceof NoSuchFileException file) {
      return file.getFile() + ": no such file";
    }
    if (e instanceof AccessDeniedException file) {
      return file.getFile() + ": permission denied";
    }
    if (e instanceof FileSystemException file && file.getReason() != null) {
      return file.getFile() + ": " + file.getReason();
    }
    return e.getMessage() == null ? e.toString() : e.getMessage();
  }

  /**
   * The reason why a file can't be used, after its purpose: {@code settings conf: no such file}.
   */
  public static String of(String purpose, Path file, IOException e) {
    String reason = reason(e);
    boolean named = reason.startsWith(file.toString());
    return SingleLine.of(purpose + " " + (named ? reason : file + ": " + reason));
  }

  /** The reason why a regular expression is invalid, without the picture of the exception. */
  public static String badPattern(PatternSyntaxException e) {
    return "not a regular expression: " + e.getPattern() + ": " + e.getDescription();
  }

  /** The reason why a path is invalid. */
  public static CommandException badPath(InvalidPathException e) {
    return new CommandException(SingleLine.of("bad file name: " + e.getMessage()), e);
  }
}
