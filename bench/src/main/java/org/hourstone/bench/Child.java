package org.hourstone.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.ProcessBuilder.Redirect;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** One of the {@link Commands} in a process of its own, of the same program. */
final class Child implements AutoCloseable {
  private final Process process;
  private final BufferedReader lines;
  private final long start = System.nanoTime();

  private Child(Process process) {
    this.process = process;
    this.lines = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
  }

  /** Arguments and one more, which has no default of use. */
  static Map<String, String> with(Map<String, String> defaults, String name) {
    Map<String, String> all = new TreeMap<>(defaults);
    all.put(name, "");
    return all;
  }

  /**
   * Starts it.
   *
   * @param prefix words before those that start Java, such as {@code taskset -c 0}
   * @param jvmOptions such as {@code -Xmx1g}
   * @param words a command and its arguments
   */
  static Child start(List<String> prefix, List<String> jvmOptions, List<String> words)
      throws IOException {
    List<String> command = new ArrayList<>(prefix);
    command.add(ProcessHandle.current().info().command().orElse("java"));
    command.addAll(jvmOptions);
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(Commands.class.getName());
    command.addAll(words);
    return new Child(new ProcessBuilder(command).redirectError(Redirect.INHERIT).start());
  }

  /** Starts it with a heap of its own. */
  static Child start(String heap, String... words) throws IOException {
    return start(List.of(), List.of(heap, "-XX:+UseSerialGC"), List.of(words));
  }

  /** The next line it prints. */
  String line() throws IOException {
    String line = lines.readLine();
    if (line == null) {
      throw new IOException("a process has ended with " + process.onExit().join().exitValue());
    }
    return line;
  }

  /** The lines it prints until it ends. */
  Stream<String> lines() {
    return lines.lines();
  }

  /** How long it has run. */
  double seconds() {
    return (System.nanoTime() - start) / 1e9;
  }

  /** Waits until it ends, which it must without an error. */
  void await() throws IOException {
    int status = process.onExit().join().exitValue();
    if (status != 0) {
      throw new IOException("a process has ended with " + status);
    }
  }

  /** Kills it. */
  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
