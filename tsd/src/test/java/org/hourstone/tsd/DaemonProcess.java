package org.hourstone.tsd;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A daemon in a process of its own. */
record DaemonProcess(Process process, InetSocketAddress address) implements AutoCloseable {
  /**
   * How one is started.
   *
   * @param heap such as {@code 256m}
   * @param environment variables added to those of this process
   * @param options of the command line, before its command
   * @param errors where its log goes
   */
  record Launch(
      String heap,
      Map<String, String> environment,
      List<String> options,
      ProcessBuilder.Redirect errors) {
    /** With a heap of 256 MB, and its log among that of the test. */
    static Launch of(List<String> options) {
      return new Launch("256m", Map.of(), options, ProcessBuilder.Redirect.INHERIT);
    }

    /** Options that set each key to its value. */
    static List<String> settings(Map<String, String> settings) {
      List<String> options = new ArrayList<>();
      settings.forEach((key, value) -> options.addAll(List.of("--set", key + "=" + value)));
      return options;
    }
  }

  static DaemonProcess start(String store, Launch launch) throws IOException {
    return serving(begin(store, launch));
  }

  /** One that has begun to start, when it serves. */
  static DaemonProcess serving(Process process) throws IOException {
    String serving =
        new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8)).readLine();
    assertThat(serving).as("the first line of a daemon").startsWith("serving ");
    int port = Integer.parseInt(serving.substring(serving.lastIndexOf(':') + 1));
    return new DaemonProcess(
        process, new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
  }

  /** The process of one that has just begun to start. */
  static Process begin(String store, Launch launch) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx" + launch.heap());
    // As ./hourstone does. In a small heap G1 takes whole regions for each large array.
    command.add("-XX:+UseSerialGC");
    // Else a third of the CPU time of its start is compiling code that ends soon.
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:ReservedCodeCacheSize=240m"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of("org.hourstone.tsd.Main", "--store", store));
    command.addAll(launch.options());
    command.addAll(List.of("tsd", "--port=0", "--auto-metric"));
    ProcessBuilder builder = new ProcessBuilder(command).redirectError(launch.errors());
    builder.environment().putAll(launch.environment());
    return builder.start();
  }

  int awaitEnd() throws InterruptedException {
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("the process has ended").isTrue();
    return process.exitValue();
  }

  /** Kills it if it has not ended. */
  @Override
  public void close() {
    process.destroyForcibly();
  }
}
