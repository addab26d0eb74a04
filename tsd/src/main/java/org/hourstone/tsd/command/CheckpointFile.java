package org.hourstone.tsd.command;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.hourstone.tsd.session.CommandException;
import org.hourstone.tsd.session.LostRows;
import org.hourstone.tsd.session.RecordFileException;
import org.jspecify.annotations.Nullable;

/**
 * The file of {@code --resume}, or of an option like it. Its first line identifies the run; the
 * next ones, if any, are the identities of its stores, and the rows that it has lost; the rest is
 * the checkpoint of that run. It is replaced atomically, after the new content was written to the
 * disk, so after a crash it contains a complete checkpoint, the last or the previous one. A store
 * that does not sync its changes may have lost some that the checkpoint counts after a loss of
 * power.
 */
final class CheckpointFile {
  /** Runs of at most this length are shown whole. */
  private static final int SHORT = 100;

  private static final String STORE = "store ";

  /** Of a store without an identity. */
  private static final String UNKNOWN = "-";

  private final String option;
  private final @Nullable Path path;
  private final String run;
  private final @Nullable LostRows lost;

  /** The stores of the checkpoint that was read. */
  private final List<String> recorded = new ArrayList<>();

  /** Those of this run. */
  private final List<String> stores = new ArrayList<>();

  /** Of a run that does not skip rows. */
  CheckpointFile(@Nullable Path path, String run) {
    this("--resume", path, run, null);
  }

  /**
   * @param option the option that names the file
   * @param path the file; null if checkpoints are not saved
   * @param run the identity of the run: everything that a run which continues must have in common
   *     with the previous one
   * @param lost the rows that the run skips; null if it skips none
   */
  CheckpointFile(String option, @Nullable Path path, String run, @Nullable LostRows lost) {
    this.option = option;
    this.path = path;
    this.run = run.replaceAll("\\p{Cc}", " ");
    this.lost = lost;
  }

  /**
   * The last checkpoint; null if there is no file. The rows that the run had lost are lost again.
   *
   * @throws CommandException if it belongs to another run
   */
  @Nullable String read() {
    if (path == null || !Files.exists(path)) {
      return null;
    }
    String text;
    try {
      text = new String(Files.readAllBytes(path), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new RecordFileException(option, path, e);
    }
    if (!text.startsWith(run + "\n")) {
      String other = text.lines().findFirst().orElse("");
      throw new CommandException(
          option
              + " "
              + path
              + " is from another run: name another file, or remove it to start at the beginning;"
              + " its run is '"
              + difference(other, run)
              + "', this one is '"
              + difference(run, other)
              + "'");
    }
    String rest =
        withoutStores(
            text.substring(run.length() + 1, Math.max(text.length() - 1, run.length() + 1)));
    return lost == null ? rest : withoutLost(lost, rest);
  }

  private String withoutStores(String text) {
    recorded.clear();
    int start = 0;
    for (int end; text.startsWith(STORE, start); start = end + 1) {
      end = text.indexOf('\n', start);
      if (end < 0) {
        break; // which is no checkpoint
      }
      recorded.add(text.substring(start + STORE.length(), end));
    }
    return text.substring(start);
  }

  /**
   * Compares the next store of the run with that of the checkpoint that was read: another one may
   * have taken its place since. It is recorded with the next checkpoint.
   *
   * @param name where the store is
   * @param identity of the store; empty if it has none
   * @throws CommandException if the checkpoint is of another store
   */
  void checkStore(String name, String identity) {
    String known = identity.isEmpty() ? UNKNOWN : identity.replaceAll("\\p{Cc}", " ");
    String before = stores.size() < recorded.size() ? recorded.get(stores.size()) : UNKNOWN;
    if (!known.equals(before) && !known.equals(UNKNOWN) && !before.equals(UNKNOWN)) {
      throw new CommandException(
          option
              + " "
              + path
              + " is of another store that was at "
              + name
              + ": name another file, or remove it to start at the beginning");
    }
    stores.add(known.equals(UNKNOWN) ? before : known);
  }

  private static String withoutLost(LostRows lost, String text) {
    List<String> ranges = new ArrayList<>();
    int start = 0;
    for (int end; text.startsWith(LostRows.PREFIX, start); start = end + 1) {
      end = text.indexOf('\n', start);
      if (end < 0) {
        break; // which is no checkpoint
      }
      ranges.add(text.substring(start, end));
    }
    lost.restore(ranges);
    return text.substring(start);
  }

  /** The words of a run in which it differs from another, unless both are short. */
  private static String difference(String run, String other) {
    if (Math.max(run.length(), other.length()) <= SHORT) {
      return run;
    }
    List<String> words = List.of(run.split(" "));
    List<String> others = List.of(other.split(" "));
    int most = Math.min(words.size(), others.size());
    int begin = 0;
    while (begin < most && words.get(begin).equals(others.get(begin))) {
      begin++;
    }
    int end = 0;
    while (end < most - begin
        && words.get(words.size() - 1 - end).equals(others.get(others.size() - 1 - end))) {
      end++;
    }
    int from = Math.max(0, begin - 1);
    int to = Math.min(words.size(), words.size() - end + 1);
    return (from > 0 ? "… " : "")
        + String.join(" ", words.subList(from, to))
        + (to < words.size() ? " …" : "");
  }

  /** The error for a checkpoint that can't be understood. */
  CommandException corrupt(String why, @Nullable RuntimeException cause) {
    return new CommandException(
        option
            + " "
            + path
            + " can't be continued: "
            + why
            + "; remove it to start at the beginning",
        cause);
  }

  /** Replaces the checkpoint, which may be that of fewer rows than were skipped. */
  void write(String checkpoint) {
    if (path == null) {
      return;
    }
    try {
      Path next = path.resolveSibling(path.getFileName() + ".next");
      List<String> lines = new ArrayList<>(List.of(run));
      stores.forEach(store -> lines.add(STORE + store));
      // As of an import that goes through a daemon this time.
      recorded.stream().skip(stores.size()).forEach(store -> lines.add(STORE + store));
      lines.addAll(lost == null ? List.of() : lost.ranges());
      lines.add(checkpoint);
      ByteBuffer text = StandardCharsets.UTF_8.encode(String.join("\n", lines) + "\n");
      try (FileChannel file =
          FileChannel.open(
              next,
              StandardOpenOption.CREATE,
              StandardOpenOption.WRITE,
              StandardOpenOption.TRUNCATE_EXISTING)) {
        while (text.hasRemaining()) {
          file.write(text);
        }
        file.force(true);
      }
      Files.move(next, path, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new RecordFileException(option, path, e);
    }
  }

  /** Deletes the file when the run is complete. */
  void delete() {
    if (path == null) {
      return;
    }
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      throw new RecordFileException(option, path, e);
    }
  }
}
