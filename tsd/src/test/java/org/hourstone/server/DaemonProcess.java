package org.hourstone.server;

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
record DaemonProcess(Process process, InetSocketAddress address) {
  /**
   * Starts one.
   *
   * @param options of the command line, before its command
   */
  static DaemonProcess start(String store, Map<String, String> environment, String... options)
      throws IOException {
    Process process = begin(store, environment, options);
    String serving =
        new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8)).readLine();
    assertThat(serving).as("the first line of a daemon").startsWith("serving ");
    int port = Integer.parseInt(serving.substring(serving.lastIndexOf(':') + 1));
    return new DaemonProcess(
        process, new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
  }

  /** The process of one that has just begun to start. */
  static Process begin(String store, Map<String, String> environment, String... options)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx256m");
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of("org.hourstone.tsd.Main", "--store", store));
    command.addAll(List.of(options));
    command.addAll(List.of("tsd", "--port=0", "--auto-metric"));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().putAll(environment);
    return builder.start();
  }

  int awaitEnd() throws InterruptedException {
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("the process has ended").isTrue();
    return process.exitValue();
  }
}
