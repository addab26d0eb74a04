package org.hourstone.kv.rocksdb;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/** All file descriptors of this process, taken until they are given back. */
final class Descriptors implements AutoCloseable {
  /** More than are open, and few enough to take the rest. */
  private static final int LIMIT = 1000;

  private final String before;
  private final List<FileChannel> taken = new ArrayList<>();

  private Descriptors(String before) {
    this.before = before;
  }

  /** Takes all of them, or skips the test if there is no program {@code prlimit}. */
  static Descriptors all() throws IOException, InterruptedException {
    String before = limit("--output=SOFT", "--noheadings", "--nofile");
    assumeTrue(!before.isEmpty(), "SKIPPED, there is no program prlimit");
    Descriptors descriptors = new Descriptors(before);
    limit("--nofile=" + LIMIT + ":");
    try {
      while (true) {
        descriptors.taken.add(FileChannel.open(Path.of("/dev/null"), StandardOpenOption.READ));
      }
    } catch (IOException e) {
      return descriptors;
    }
  }

  int count() {
    return taken.size();
  }

  @Override
  public void close() throws IOException {
    for (FileChannel channel : taken) {
      channel.close();
    }
    try {
      limit("--nofile=" + before + ":");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  private static String limit(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("prlimit"));
    command.add("--pid=" + ProcessHandle.current().pid());
    command.addAll(List.of(arguments));
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String said =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      return process.waitFor() == 0 ? said : "";
    } catch (IOException e) {
      return "";
    }
  }
}
