package org.hourstone.tsd.terminal;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * The process's standard input. If it was closed before the process started, the first file that
 * the JVM opens gets its descriptor. That descriptor must be neither read nor closed, since the JVM
 * maps the file into memory.
 */
public final class StandardInput {
  /** Represents closed standard input; never read. */
  public static final InputStream CLOSED = InputStream.nullInputStream();

  private static final Path LINK = Path.of("/proc/self/fd/0");

  private StandardInput() {}

  /** Standard input, or {@link #CLOSED}. */
  static InputStream open() {
    // The launcher passes this on; without the launcher, it can be checked only on Linux.
    boolean closed =
        Boolean.getBoolean("hourstone.stdin.closed")
            || isClosed(LINK, Path.of(System.getProperty("java.home")));
    return closed ? CLOSED : new FileInputStream(FileDescriptor.in);
  }

  /**
   * Whether a descriptor is closed or belongs to the JVM.
   *
   * @param link the link to its file, in a directory that exists only on systems with such links
   */
  static boolean isClosed(Path link, Path javaHome) {
    try {
      return Files.readSymbolicLink(link).startsWith(javaHome.toRealPath());
    } catch (NoSuchFileException e) {
      return Files.isDirectory(link.resolveSibling(""));
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }
}
