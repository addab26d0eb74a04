package org.hourstone.kv.hbase;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A real HBase in a JVM of its own, started by the first test that needs it and shared by all. It
 * ends with this JVM, however this ends: it watches its standard input, which we hold open.
 *
 * <p>{@code -Dhourstone.hbase.uri=hbase://…} names another that runs already.
 */
final class HBaseProcess {
  private static final Path HOME = Path.of(System.getProperty("hourstone.hbase.home", ""));

  private final String location;

  private HBaseProcess(String location) {
    this.location = location;
  }

  /** The one of this JVM. */
  static HBaseProcess running() {
    return Started.INSTANCE;
  }

  /** A store's URI, to which parameters may be added. */
  String uri() {
    return location;
  }

  private static final class Started {
    static final HBaseProcess INSTANCE = start();
  }

  private static HBaseProcess start() {
    String other = System.getProperty("hourstone.hbase.uri");
    if (other != null) {
      return new HBaseProcess(other);
    }
    try {
      Path directory = Files.createTempDirectory("hourstone-hbase");
      Path log = directory.resolve("log");
      Process process = new ProcessBuilder(command(directory)).redirectError(log.toFile()).start();
      Runtime.getRuntime()
          .addShutdownHook(new Thread(() -> end(process, directory), "end-of-hbase"));
      BufferedReader out =
          new BufferedReader(
              new java.io.InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII));
      String ready = out.readLine();
      if (ready == null) {
        throw new AssertionError("HBase has not started:\n" + Files.readString(log));
      }
      return new HBaseProcess(ready);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> command(Path directory) throws IOException {
    Path classPath = HOME.resolve("target/class-path");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("@" + HOME.resolve("jvm-options"));
    command.add("-cp");
    command.add(
        HOME.resolve("target/classes")
            + System.getProperty("path.separator")
            + Files.readString(classPath));
    command.add("org.hourstone.hbase.Standalone");
    command.addAll(List.of("--directory", directory.toString(), "--port", "0"));
    command.add("--end-with-input");
    return command;
  }

  private static void end(Process process, Path directory) {
    process.destroyForcibly();
    try {
      process.waitFor();
      deleteAll(directory);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void deleteAll(Path directory) {
    try (java.util.stream.Stream<Path> files = Files.walk(directory)) {
      files.sorted(java.util.Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
