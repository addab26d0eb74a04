package org.hourstone.tsd.command;

import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.zip.ZipException;
import org.hourstone.internal.WholeGzip;
import org.hourstone.tsd.session.CommandException;
import org.hourstone.tsd.session.Problem;
import org.hourstone.tsd.terminal.ClosedInputException;
import org.hourstone.tsd.terminal.StandardInput;

/**
 * An open file of lines: plain, gzipped, or standard input. Counts the bytes that have been read.
 */
final class ImportInput implements AutoCloseable {
  static final String STANDARD_INPUT = "-";
  static final long UNKNOWN_SIZE = -1;

  static final String GZIP_SUFFIX = ".gz";
  private static final int BUFFER = 1 << 16;

  private final String name;
  private final long size;
  private final CountedStream file;
  private final InputStream lines;

  private ImportInput(String name, long size, InputStream file) throws IOException {
    this.name = name;
    this.size = size;
    this.file = new CountedStream(file);
    this.lines = name.endsWith(GZIP_SUFFIX) ? new WholeGzip(this.file, BUFFER) : this.file;
  }

  /**
   * Opens a file.
   *
   * @param name a path; {@code -} is standard input
   * @throws CommandException if it can't be opened, naming it
   * @throws ClosedInputException if standard input is closed
   */
  static ImportInput open(String name, InputStream standardInput) {
    if (name.equals(STANDARD_INPUT)) {
      if (standardInput == StandardInput.CLOSED) {
        throw new ClosedInputException();
      }
      return open(name, UNKNOWN_SIZE, standardInput);
    }
    try {
      Path path = Path.of(name);
      if (Files.isDirectory(path)) {
        throw new CommandException(name + ": is a directory");
      }
      long size = Files.isRegularFile(path) ? Files.size(path) : UNKNOWN_SIZE;
      return open(name, size, Files.newInputStream(path));
    } catch (InvalidPathException e) {
      throw Problem.badPath(e);
    } catch (IOException e) {
      throw new CommandException(Problem.reason(e), e);
    }
  }

  /**
   * As {@link #open(String, InputStream)}, for a stream that is already open.
   *
   * @param size its length in bytes, or {@link #UNKNOWN_SIZE}
   */
  static ImportInput open(String name, long size, InputStream file) {
    try {
      return new ImportInput(name, size, file);
    } catch (IOException e) {
      CommandException failure = new CommandException(name + ": " + gzipTrouble(e), e);
      close(file, failure);
      throw failure;
    }
  }

  private static String gzipTrouble(IOException e) {
    return e instanceof ZipException
        ? "is not gzip, though its name ends in " + GZIP_SUFFIX
        : e instanceof EOFException
            ? "is not gzip, though its name ends in " + GZIP_SUFFIX + ": it is too short"
            : Problem.reason(e);
  }

  private static void close(InputStream file, CommandException failure) {
    try {
      file.close();
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  String name() {
    return name;
  }

  /** The file's stored size in bytes, or {@link #UNKNOWN_SIZE}. */
  long size() {
    return size;
  }

  /** The number of bytes read. */
  long read() {
    return file.read;
  }

  /** The uncompressed lines. */
  InputStream lines() {
    return lines;
  }

  @Override
  public void close() {
    try {
      lines.close();
    } catch (IOException e) {
      throw new CommandException(name + ": " + Problem.reason(e), e);
    }
  }

  private static final class CountedStream extends FilterInputStream {
    private long read;

    CountedStream(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      int octet = super.read();
      read += octet < 0 ? 0 : 1;
      return octet;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      int count = super.read(buffer, offset, length);
      read += Math.max(0, count);
      return count;
    }
  }
}
