package org.hourstone.tsd;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** A file that holds how far a run is: the row it goes on with, in hex. */
final class ResumeFile {
  private final @Nullable Path path;

  /**
   * @param path null for no file
   */
  ResumeFile(@Nullable Path path) {
    this.path = path;
  }

  /** The row to go on with; empty if there is no file. */
  byte[] read() {
    if (path == null || !Files.exists(path)) {
      return new byte[0];
    }
    try {
      return HexFormat.of().parseHex(Files.readString(path).strip());
    } catch (IOException e) {
      throw new CommandException(Problem.reason(e), e);
    } catch (IllegalArgumentException e) {
      throw new CommandException(path + ": holds no row in hex", e);
    }
  }

  /** Whoever reads the file sees the old or the new row, whole. */
  void write(byte[] row) {
    if (path == null) {
      return;
    }
    try {
      Path next = path.resolveSibling(path.getFileName() + ".next");
      Files.writeString(next, HexFormat.of().formatHex(row) + "\n");
      Files.move(next, path, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new CommandException(Problem.reason(e), e);
    }
  }

  /** The run is complete. */
  void delete() {
    try {
      if (path != null) {
        Files.deleteIfExists(path);
      }
    } catch (IOException e) {
      throw new CommandException(Problem.reason(e), e);
    }
  }
}
