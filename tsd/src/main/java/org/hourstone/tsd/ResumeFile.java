package org.hourstone.tsd;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * A file with the checkpoint of a run, as text; for some runs this is the row to continue with, in
 * hex.
 */
final class ResumeFile {
  private final @Nullable Path path;

  /**
   * @param path null for no file
   */
  ResumeFile(@Nullable Path path) {
    this.path = path;
  }

  /** The row to continue with; empty if there is no file. */
  byte[] read() {
    String row = readText();
    try {
      return row == null ? new byte[0] : HexFormat.of().parseHex(row.strip());
    } catch (IllegalArgumentException e) {
      throw new CommandException(path + ": does not contain a row in hex", e);
    }
  }

  /** The text; null if there is no file. */
  @Nullable String readText() {
    if (path == null || !Files.exists(path)) {
      return null;
    }
    try {
      return Files.readString(path);
    } catch (IOException e) {
      throw new RecordFileException("--resume", path, e);
    }
  }

  void write(byte[] row) {
    writeText(HexFormat.of().formatHex(row) + "\n");
  }

  /** Replaces the file atomically: readers see the complete old or new text. */
  void writeText(String text) {
    if (path == null) {
      return;
    }
    try {
      Path next = path.resolveSibling(path.getFileName() + ".next");
      Files.writeString(next, text);
      Files.move(next, path, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new RecordFileException("--resume", path, e);
    }
  }

  /** The run is complete. */
  void delete() {
    if (path == null) {
      return;
    }
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      throw new RecordFileException("--resume", path, e);
    }
  }
}
