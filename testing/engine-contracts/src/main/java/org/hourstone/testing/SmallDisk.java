package org.hourstone.testing;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file system of its own in memory, which takes root; tests that can't have it are skipped. */
public final class SmallDisk implements AutoCloseable {
  private final Path directory;

  private SmallDisk(Path directory) {
    this.directory = directory;
  }

  /** Mounts one, with options such as {@code size=32m}, or skips the test. */
  public static SmallDisk mount(Path directory, String options)
      throws IOException, InterruptedException {
    Files.createDirectories(directory);
    String failure = run("mount", "-t", "tmpfs", "-o", options, "tmpfs", directory.toString());
    assumeTrue(failure.isEmpty(), () -> "SKIPPED, cannot mount a tmpfs here: " + failure);
    return new SmallDisk(directory);
  }

  /** Where it is mounted. */
  public Path directory() {
    return directory;
  }

  /** Changes its options. */
  public void remount(String options) throws IOException, InterruptedException {
    String failure = run("mount", "-o", "remount," + options, directory.toString());
    if (!failure.isEmpty()) {
      throw new IOException(failure);
    }
  }

  @Override
  public void close() throws IOException {
    try {
      // Lazily, since a loaded library is a file in use until the JVM ends.
      String failure = run("umount", "--lazy", directory.toString());
      if (!failure.isEmpty()) {
        throw new IOException(failure);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  /** Empty if the command succeeded, else what it said. */
  private static String run(String... command) throws IOException, InterruptedException {
    Process process;
    try {
      process = new ProcessBuilder(command).redirectErrorStream(true).start();
    } catch (IOException e) {
      return e.toString();
    }
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return process.waitFor() == 0 ? "" : "failed: " + said.strip();
  }
}
