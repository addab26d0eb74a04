package org.hourstone.api;

import java.util.concurrent.CompletableFuture;
import org.hourstone.error.RequestException;
import org.jspecify.annotations.Nullable;

/** Executes the lines that start with one word. Thread-safe. */
interface TelnetCommand {
  /**
   * @param line with the command's name, without the line's end
   * @return completes when the line's writes are stored, or exceptionally if they fail; the thread
   *     that completes it must never wait for it
   * @throws org.hourstone.write.InvalidNumberException if a number is malformed: "invalid value"
   * @throws org.hourstone.uid.NoSuchNameException if a name is unknown: "unknown metric"
   * @throws RequestException if anything else is wrong: "illegal argument"
   */
  CompletableFuture<@Nullable Void> run(String line);
}
