package org.hourstone.tsd.command;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.hourstone.internal.OwnComment;
import org.hourstone.tsd.session.RecordFileException;
import org.hourstone.tsd.session.UsageException;
import org.jspecify.annotations.Nullable;

/**
 * The file of lines that an import has rejected. Each line follows a comment with its place and the
 * reason. Lines are appended to an existing file, since an import may continue an earlier one.
 * After correction the file can be imported. After a failure every call fails, so that a lost line
 * is never recorded as written.
 */
final class Rejects implements AutoCloseable {
  private final Path path;
  private final BufferedWriter out;
  private String columns = "";
  private String written = "";
  private @Nullable IOException failure;

  /**
   * Opens the file.
   *
   * @param resumes whether the file belongs to an import that is being resumed
   * @param inputs the files to import
   * @throws RecordFileException also from the other methods, if the file can't be written
   */
  Rejects(Path path, boolean resumes, List<String> inputs) {
    this.path = path;
    try {
      for (String input : inputs) {
        if (Files.exists(path)
            && Files.exists(Path.of(input))
            && Files.isSameFile(path, Path.of(input))) {
          throw new UsageException("--rejects " + path + ": is one of the files to import");
        }
      }
      endLastLine(path, resumes);
      // Not newBufferedWriter, which fails if a reason contains an unpaired surrogate.
      this.out =
          new BufferedWriter(
              new OutputStreamWriter(
                  Files.newOutputStream(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND),
                  StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw failed(e);
    }
  }

  /**
   * Turns a last line without a line end, which may be an incomplete line of the resumed import,
   * into a comment.
   */
  private static void endLastLine(Path path, boolean resumes) throws IOException {
    if (!Files.isRegularFile(path)) {
      return;
    }
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), resumes ? "rw" : "r")) {
      long start = file.length();
      while (start > 0 && byteAt(file, start - 1) != '\n') {
        start--;
      }
      byte[] half = new byte[Math.toIntExact(file.length() - start)];
      if (half.length > 0 && !resumes) {
        throw new UsageException("--rejects " + path + ": the last line in it has no end");
      }
      if (half.length > 0) {
        file.seek(start);
        file.readFully(half);
        for (int i = 0; i < half.length; i++) {
          half[i] = half[i] == ',' ? (byte) ';' : half[i]; // else CSV takes it for a record
        }
        file.seek(start);
        file.writeBytes(OwnComment.CUT_OFF.line(""));
        file.write(half);
        file.write('\n');
      }
    }
  }

  private static int byteAt(RandomAccessFile file, long position) throws IOException {
    file.seek(position);
    return file.read();
  }

  /** The following lines are CSV with this first line. */
  void columns(String line) {
    columns = line;
  }

  void add(String place, String reason, String line) {
    String comment = place + ": " + reason;
    StringBuilder text = new StringBuilder();
    if (!columns.isEmpty()) {
      text.append(columns.equals(written) ? "" : columns + "\n");
      written = columns;
      comment = comment.replace(',', ';'); // else it is a record
    }
    text.append(OwnComment.REJECTED.line(comment)).append('\n');
    text.append(line.isEmpty() ? "" : line + "\n");
    attempt(() -> out.append(text));
  }

  void flush() {
    attempt(out::flush);
  }

  private interface Write {
    void run() throws IOException;
  }

  private void attempt(Write write) {
    try {
      if (failure != null) {
        throw failure;
      }
      write.run();
    } catch (IOException e) {
      failure = e;
      throw failed(e);
    }
  }

  private RecordFileException failed(IOException e) {
    return new RecordFileException("--rejects", path, e);
  }

  @Override
  public void close() {
    try {
      out.close();
    } catch (IOException e) {
      if (failure == null) {
        throw failed(e);
      }
      // Otherwise it was reported already.
    }
  }
}
