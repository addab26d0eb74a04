package org.hourstone.api;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Carries out the lines that start with one word. Thread-safe. */
interface TelnetCommand {
  /**
   * @param line with the command's name, without the line's end
   * @return completes when what the line writes is stored, or exceptionally when it is not; never
   *     waited for by the thread that completes it
   * @throws NumberFormatException if a number is malformed: "invalid value"
   * @throws org.hourstone.uid.NoSuchNameException if a name is unknown: "unknown metric"
   * @throws IllegalArgumentException if anything else is wrong: "illegal argument"
   */
  CompletableFuture<@Nullable Void> run(String line);
}
