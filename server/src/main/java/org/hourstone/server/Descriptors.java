package org.hourstone.server;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The file descriptors that this process may open, and how many of them are for connections: the
 * store, and classes that are not loaded yet, need some, too, and a store that gets none may refuse
 * writes. Known on Linux only.
 *
 * @param limit the maximum number
 * @param open the number of those in use
 */
public record Descriptors(long limit, long open) {
  /** The fewest with which any command works, and the daemon. */
  private static final int LEAST = 96;

  private static final int LEAST_OF_DAEMON = 160;

  /** A third of the others is kept for the store, within bounds; it opens up to 512 tables. */
  private static final int USED_BY_PROGRAM = 128;

  private static final int KEPT_SHARE = 3;

  private static final int LEAST_KEPT = 32;
  private static final int MOST_KEPT = 640;
  private static final int LEAST_CONNECTIONS = 8;

  private static final Path PROCESS = Path.of("/proc/self");
  private static final Pattern LIMIT = Pattern.compile("(?m)^Max open files +(\\d+) ");
  private static final System.Logger LOG = System.getLogger("org.hourstone.server");

  /** Those of this process; without limit if they are unknown. */
  public static Descriptors ofProcess() {
    try (Stream<Path> open = Files.list(PROCESS.resolve("fd"))) {
      return new Descriptors(limitOfProcess().orElse(Long.MAX_VALUE), open.count());
    } catch (IOException | RuntimeException e) {
      return new Descriptors(Long.MAX_VALUE, 0);
    }
  }

  private static OptionalLong limitOfProcess() {
    try {
      return limit(Files.readString(PROCESS.resolve("limits"), StandardCharsets.US_ASCII));
    } catch (IOException | RuntimeException e) {
      return OptionalLong.empty();
    }
  }

  /** The limit in the text of {@code /proc/self/limits}; empty if there is none. */
  static OptionalLong limit(String limits) {
    Matcher found = LIMIT.matcher(limits);
    return found.find() ? OptionalLong.of(Long.parseLong(found.group(1))) : OptionalLong.empty();
  }

  /**
   * The error if the process may open fewer than a command needs; empty if it may open enough.
   *
   * @param isDaemon whether it accepts connections
   */
  public static String shortage(boolean isDaemon) {
    int least = isDaemon ? LEAST_OF_DAEMON : LEAST;
    OptionalLong limit = OptionalLong.empty();
    try {
      limit = limit(Files.readString(PROCESS.resolve("limits"), StandardCharsets.US_ASCII));
    } catch (FileSystemException e) {
      if (String.valueOf(e.getReason()).contains("Too many open files")) {
        return "too few file descriptors: none is left, and at least "
            + least
            + " are needed (ulimit -n)";
      }
    } catch (IOException | RuntimeException e) {
      // No Linux: the limit is unknown.
    }
    return limit.isPresent() && limit.getAsLong() < least ? shortage(limit.getAsLong(), least) : "";
  }

  private static String shortage(long limit, long least) {
    return "too few file descriptors: the process may open "
        + limit
        + ", and needs at least "
        + least
        + " (ulimit -n)";
  }

  /** The number that connections don't use. */
  long kept() {
    return Math.max(LEAST_KEPT, Math.min(MOST_KEPT, (limit - USED_BY_PROGRAM) / KEPT_SHARE));
  }

  /**
   * The maximum number of open connections.
   *
   * @param wanted the maximum that is configured
   * @throws IllegalArgumentException if there are too few descriptors for any
   */
  int connections(int wanted) {
    if (limit == Long.MAX_VALUE) {
      return wanted;
    }
    long most = limit - open - kept();
    if (most < Math.min(LEAST_CONNECTIONS, wanted)) {
      throw new IllegalArgumentException(shortage(limit, open + kept() + LEAST_CONNECTIONS));
    }
    if (most < wanted) {
      LOG.log(
          Level.WARNING,
          "at most "
              + most
              + " connections are accepted: the process may open "
              + limit
              + " files (ulimit -n), of which "
              + open
              + " are open and "
              + kept()
              + " are kept for the store");
    }
    return (int) Math.min(wanted, most);
  }

  /** The maximum number of connections that are being refused. */
  int refused() {
    return (int) Math.min(Connections.MOST_REFUSED_AT_ONCE, kept() / 4);
  }
}
