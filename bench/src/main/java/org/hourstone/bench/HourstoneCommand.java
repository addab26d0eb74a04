package org.hourstone.bench;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Our command line, each command in a process of its own.
 *
 * @param program starts it: words separated by blanks
 */
record HourstoneCommand(String program) {
  /** Prints the CPU time of the shell, and then that of the command, which has ended. */
  private static final String MEASURED = "\"$@\" >&2; status=$?; times; exit $status";

  /**
   * Runs a command on a store, and returns the CPU seconds of its process.
   *
   * @param input is its standard input
   * @param log its output is added to
   * @throws IOException if it fails
   */
  double run(String store, List<String> words, Path input, Path log) throws IOException {
    List<String> command = new ArrayList<>(List.of("sh", "-c", MEASURED, "sh"));
    command.addAll(List.of(program.split(" ")));
    command.addAll(List.of("--store", store));
    command.addAll(words);
    Process process =
        new ProcessBuilder(command)
            .redirectInput(input.toFile())
            .redirectError(Redirect.appendTo(log.toFile()))
            .start();
    String times = new String(process.getInputStream().readAllBytes(), US_ASCII);
    if (process.onExit().join().exitValue() != 0) {
      throw new IOException(String.join(" ", command) + ": " + Files.readString(log));
    }
    return Stream.of(times.lines().skip(1).findFirst().orElse("").split(" "))
        .mapToDouble(HourstoneCommand::seconds)
        .sum();
  }

  /** The seconds of a text such as {@code 1m2.345s}. */
  private static double seconds(String text) {
    String[] parts = text.split("[ms]");
    return Integer.parseInt(parts[0]) * 60 + Double.parseDouble(parts[1]);
  }
}
