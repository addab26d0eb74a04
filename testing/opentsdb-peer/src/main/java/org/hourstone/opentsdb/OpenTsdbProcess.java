package org.hourstone.opentsdb;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;

/**
 * An OpenTSDB in a process of its own, on a free port of the loopback interface and over tables
 * that exist. It ends when it is closed, and with this JVM, however that ends: what started it
 * watches its standard input, which we hold open. Thread-safe.
 */
public final class OpenTsdbProcess implements AutoCloseable {
  private static final Path TARGET = target();
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final Duration ANSWER = Duration.ofSeconds(5);
  private static final long POLL_MILLIS = 50;

  private final Process process;
  private final Path directory;
  private final InetSocketAddress address;
  private final Thread hook;

  private OpenTsdbProcess(Process process, Path directory, InetSocketAddress address) {
    this.process = process;
    this.directory = directory;
    this.address = address;
    this.hook = new Thread(this::end, "end-of-opentsdb");
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /**
   * Starts one and waits until it answers.
   *
   * @param storeUri {@code hbase://QUORUM/NODE…}, of the HBase that holds its tables
   * @param settings OpenTSDB's own, such as the names of its tables; what is not said here is as
   *     OpenTSDB has it, but that names of metrics are created
   * @param jvmOptions such as {@code -Xmx512m}
   * @throws IllegalStateException if it ends instead, or does not answer; with its log
   */
  public static OpenTsdbProcess start(
      String storeUri, Map<String, String> settings, String... jvmOptions) {
    try {
      Path directory = Files.createTempDirectory("hourstone-opentsdb");
      InetSocketAddress address =
          new InetSocketAddress(InetAddress.getLoopbackAddress(), freePort());
      Properties config = config(URI.create(storeUri), directory, address);
      config.putAll(settings);
      Path file = directory.resolve("opentsdb.conf");
      try (Writer writer = Files.newBufferedWriter(file)) {
        config.store(writer, null);
      }
      Process process =
          new ProcessBuilder(command(file, jvmOptions))
              .directory(directory.toFile())
              .redirectErrorStream(true)
              .redirectOutput(directory.resolve("log").toFile())
              .start();
      OpenTsdbProcess started = new OpenTsdbProcess(process, directory, address);
      started.awaitAnswer();
      return started;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Properties config(URI store, Path directory, InetSocketAddress address) {
    Properties config = new Properties();
    config.setProperty("tsd.network.bind", address.getAddress().getHostAddress());
    config.setProperty("tsd.network.port", Integer.toString(address.getPort()));
    config.setProperty("tsd.http.staticroot", directory.toString());
    config.setProperty("tsd.http.cachedir", directory.toString());
    config.setProperty("tsd.http.request.enable_chunked", "true");
    config.setProperty("tsd.http.request.max_chunk", "16777216");
    config.setProperty("tsd.storage.hbase.zk_quorum", store.getAuthority());
    config.setProperty("tsd.storage.hbase.zk_basedir", store.getPath());
    config.setProperty("tsd.core.auto_create_metrics", "true");
    config.setProperty("tsd.core.timezone", "UTC");
    return config;
  }

  private static List<String> command(Path config, String... jvmOptions) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(TARGET.resolveSibling("until-input-ends").toString());
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("@" + TARGET.resolveSibling("jvm-options"));
    command.add("-Dlogback.configurationFile=" + TARGET.resolveSibling("logback.xml"));
    command.addAll(List.of(jvmOptions));
    command.add("-cp");
    command.add(Files.readString(TARGET.resolve("class-path")));
    command.add("net.opentsdb.tools.TSDMain");
    command.add("--config=" + config);
    return command;
  }

  /** Where this module was built: the list of jars to run with is there. */
  private static Path target() {
    try {
      URI built = OpenTsdbProcess.class.getProtectionDomain().getCodeSource().getLocation().toURI();
      return Path.of(built).resolve("..").normalize();
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private void awaitAnswer() throws IOException {
    HttpRequest request =
        HttpRequest.newBuilder(http().resolve("/api/version")).timeout(ANSWER).build();
    HttpClient client = HttpClient.newHttpClient();
    long end = System.nanoTime() + PATIENCE.toNanos();
    try {
      while (process.isAlive() && System.nanoTime() < end) {
        try {
          client.send(request, HttpResponse.BodyHandlers.discarding());
          return;
        } catch (IOException notYet) {
          Thread.sleep(POLL_MILLIS);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    String log = log();
    close();
    throw new IllegalStateException("OpenTSDB has not started:\n" + log);
  }

  /** Where it listens, for HTTP and telnet alike. */
  public InetSocketAddress address() {
    return address;
  }

  /** The root of its HTTP API, which {@code /api/…} is to be resolved against. */
  public URI http() {
    return URI.create("http://" + address.getAddress().getHostAddress() + ":" + address.getPort());
  }

  /** The id of the process that started it, which ends as it does. */
  public long pid() {
    return process.pid();
  }

  /** The CPU time it has used, its compilers' and collectors' included. */
  public Duration cpuTime() {
    return process
        .toHandle()
        .children()
        .flatMap(child -> child.info().totalCpuDuration().stream())
        .reduce(Duration.ZERO, Duration::plus);
  }

  /** Its warnings and errors so far. */
  public String log() throws IOException {
    return Files.readString(directory.resolve("log"));
  }

  /** Ends it at once, as a power failure would, and deletes its directory. May be repeated. */
  @Override
  public void close() {
    Runtime.getRuntime().removeShutdownHook(hook);
    end();
  }

  private void end() {
    process.destroy();
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
