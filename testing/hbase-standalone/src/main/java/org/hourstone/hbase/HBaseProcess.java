package org.hourstone.hbase;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A real HBase in a JVM of its own: {@link Standalone}, started by whoever needs it. Nothing of
 * HBase's servers has to be on the caller's class path. It ends with the caller's JVM, however that
 * ends: it watches its standard input, which we hold open.
 */
public final class HBaseProcess implements AutoCloseable {
  private static final Path TARGET = target();
  private static final long PATIENCE_SECONDS = 120;

  /**
   * Half of a test's server's time is else spent on compiling code that ends soon. The usual room
   * for compiled code is little then, and compiling ends when it is full.
   */
  private static final List<String> SIMPLE_COMPILER =
      List.of("-XX:TieredStopAtLevel=1", "-XX:ReservedCodeCacheSize=240m");

  private final Process process;
  private final Path directory;
  private final Thread hook;
  private final String uri;
  private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();

  private HBaseProcess(Process process, Path directory, String uri, BufferedReader out) {
    this.process = process;
    this.directory = directory;
    this.uri = uri;
    Thread reader = new Thread(() -> out.lines().forEach(answers::add), "answers-of-hbase");
    reader.setDaemon(true);
    reader.start();
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
   * Starts one for tests, on free ports and in a temporary directory, and waits until it is ready.
   *
   * @param options of {@link Standalone}'s command line, beside directory and ports
   */
  public static HBaseProcess start(String... options) {
    return start(SIMPLE_COMPILER, options);
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
      BufferedReader out =
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII));
      String ready = out.readLine();
      if (ready == null) {
        process.destroyForcibly();
        throw new IllegalStateException("HBase has not started:\n" + Files.readString(log));
      }
      return new HBaseProcess(process, directory, ready, out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A store's URI, to which parameters may be added. */
  public String uri() {
    return uri;
  }

  /** Where the data of all its servers is, as long as it runs. */
  public Path directory() {
    return directory;
  }

  /**
   * Has it carry out one of {@link Commands}, and waits until that is done.
   *
   * @return what there is to say
   * @throws IllegalStateException if it failed, or there is no answer
   */
  public synchronized String command(String command) {
    try {
      process.getOutputStream().write((command + "\n").getBytes(StandardCharsets.US_ASCII));
      process.getOutputStream().flush();
      String answer = answers.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
      if (answer == null || !answer.startsWith("ok")) {
        throw new IllegalStateException("HBase: " + command + ": " + answer);
      }
      return answer.substring("ok".length()).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while HBase ran " + command, e);
    }
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
    if (List.of(options).contains("--relayed")) {
      command.add("-Djdk.net.hosts.file=" + hosts(directory));
    }
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

  /** Says where {@code localhost} and this machine are for servers behind {@link Relays}. */
  private static Path hosts(Path directory) throws IOException {
    String here = InetAddress.getLocalHost().getHostName();
    return Files.writeString(
        directory.resolve("hosts"), Relays.SERVERS + " localhost " + here + "\n");
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
