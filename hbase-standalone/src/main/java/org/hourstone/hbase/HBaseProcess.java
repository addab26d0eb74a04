package org.hourstone.hbase;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A real HBase in a JVM of its own: {@link Standalone}, started by whoever needs it. Nothing of
 * HBase's servers has to be on the caller's class path. It ends with the caller's JVM, however that
 * ends: it watches its standard input, which we hold open.
 */
public final class HBaseProcess implements AutoCloseable {
  private static final Path TARGET = target();

  private final Process process;
  private final Path directory;
  private final Thread hook;
  private final String uri;

  private HBaseProcess(Process process, Path directory, String uri) {
    this.process = process;
    this.directory = directory;
    this.uri = uri;
    this.hook = new Thread(this::end, "end-of-hbase");
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /**
   * The URI of a store that all tests of this JVM may use: of the HBase that {@code
   * -Dhourstone.hbase.uri=hbase://…} names, else of one that is started by the first test that
   * asks.
   */
  public static String sharedUri() {
    return Shared.URI;
  }

  /**
   * Starts one, on free ports and in a temporary directory, and waits until it is ready.
   *
   * @param options of {@link Standalone}'s command line, beside directory and ports
   */
  public static HBaseProcess start(String... options) {
    return start(List.of(), options);
  }

  /**
   * As {@link #start(String...)}, with other options of the JVM.
   *
   * @param jvmOptions such as {@code -Xmx3g}; they go before those of this module
   */
  public static HBaseProcess start(List<String> jvmOptions, String... options) {
    try {
      Path directory = Files.createTempDirectory("hourstone-hbase");
      Path log = directory.resolve("log");
      Process process =
          new ProcessBuilder(command(directory, jvmOptions, options))
              .redirectError(log.toFile())
              .start();
      String ready =
          new BufferedReader(
                  new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII))
              .readLine();
      if (ready == null) {
        process.destroyForcibly();
        throw new IllegalStateException("HBase has not started:\n" + Files.readString(log));
      }
      return new HBaseProcess(process, directory, ready);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A store's URI, to which parameters may be added. */
  public String uri() {
    return uri;
  }

  /** Where its files are, as long as it runs. */
  public Path directory() {
    return directory;
  }

  /** Of the operating system. */
  public long pid() {
    return process.pid();
  }

  /** Kills it and deletes its directory. May be repeated. */
  @Override
  public void close() {
    Runtime.getRuntime().removeShutdownHook(hook);
    end();
  }

  private static final class Shared {
    static final String URI = uri();

    private static String uri() {
      String other = System.getProperty("hourstone.hbase.uri");
      return other == null ? start().uri() : other;
    }
  }

  private static List<String> command(Path directory, List<String> jvmOptions, String... options)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("@" + TARGET.resolveSibling("jvm-options"));
    command.addAll(jvmOptions);
    command.add("-cp");
    command.add(
        TARGET.resolve("classes")
            + System.getProperty("path.separator")
            + Files.readString(TARGET.resolve("class-path")));
    command.add("org.hourstone.hbase.Standalone");
    command.addAll(List.of("--directory", directory.toString(), "--port", "0"));
    command.add("--end-with-input");
    command.addAll(List.of(options));
    return command;
  }

  /**
   * Where this module was built: its classes or jar are there, and the list of jars to run with.
   */
  private static Path target() {
    try {
      URI built = HBaseProcess.class.getProtectionDomain().getCodeSource().getLocation().toURI();
      return Path.of(built).resolve("..").normalize();
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private void end() {
    process.destroyForcibly();
    try {
      process.waitFor();
      deleteAll(directory);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void deleteAll(Path directory) {
    if (!Files.exists(directory)) {
      return;
    }
    try (Stream<Path> files = Files.walk(directory)) {
      files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
