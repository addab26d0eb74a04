package org.hourstone.kv.rocksdb;

import java.nio.file.Path;
import java.util.Set;
import java.util.function.Supplier;
import org.hourstone.kv.StoreException;

/**
 * Reads files that another process may delete at any time, because it has written newer ones: an
 * attempt that fails is repeated if the files of the directory changed during it.
 */
final class WhileChanging {
  /** Files change seldom, compared with the duration of an attempt. */
  private static final int ATTEMPTS = 20;

  private WhileChanging() {}

  static <T> T repeat(Path directory, Supplier<T> attempt) {
    for (int attempts = 1; ; attempts++) {
      Set<String> before = StoreFiles.names(directory);
      try {
        return attempt.get();
      } catch (StoreException e) {
        if (attempts == ATTEMPTS || StoreFiles.names(directory).equals(before)) {
          throw e;
        }
      }
    }
  }
}
