package org.hourstone.tsd.command;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hourstone.tsd.session.CommandException;
import org.hourstone.tsd.session.Problem;
import org.jspecify.annotations.Nullable;

/**
 * The number of stored lines of each file of an import, saved in a checkpoint as {@code LINE FILE}
 * for each file. {@code FILE} is the real path, since the same name may denote another file in
 * another directory. Whether some of these lines were rejected is saved, too: the import that
 * continues does not read them again.
 */
final class ImportPlaces {
  private static final String REJECTED = "rejected";

  private final CheckpointFile file;
  private final String store;
  private final Map<String, Long> lines = new LinkedHashMap<>();
  private final Map<String, String> paths = new HashMap<>();
  private boolean hasRejected;

  /**
   * @param format of the lines; empty for import lines
   * @throws CommandException if the file does not belong to an import of this format into this
   *     store
   */
  ImportPlaces(Path file, String store, String format) {
    this.store = store;
    this.file = new CheckpointFile(file, "import into " + store + format);
    String checkpoint = this.file.read();
    if (checkpoint != null) {
      checkpoint.lines().forEach(this::read);
    }
  }

  private void read(String line) {
    if (line.equals(REJECTED)) {
      hasRejected = true;
      return;
    }
    int space = line.indexOf(' ');
    if (space < 1 || space > 18 || !line.substring(0, space).matches("[0-9]+")) {
      throw file.corrupt(line, null);
    }
    lines.put(line.substring(space + 1), Long.valueOf(line.substring(0, space)));
  }

  /**
   * The store was opened: another one may have taken the place of that which has the lines.
   *
   * @param identity of the store; empty if it has none
   * @throws CommandException if the file is of another store
   */
  void checkStore(String identity) {
    file.checkStore(store, identity);
  }

  /** The number of lines of a file that are stored. */
  long of(String name) {
    @Nullable Long known = lines.get(path(name));
    return known == null ? 0 : known;
  }

  /** Whether lines were rejected and skipped, by this import or one that it continues. */
  boolean hasRejected() {
    return hasRejected;
  }

  /** A line was rejected, which is saved with the next stored one. */
  void rejected() {
    hasRejected = true;
  }

  /** Determined once, since a file may be removed while it is read. */
  private String path(String name) {
    return paths.computeIfAbsent(name, ImportPlaces::realPath);
  }

  private static String realPath(String name) {
    try {
      return name.equals(ImportInput.STANDARD_INPUT) ? name : Path.of(name).toRealPath().toString();
    } catch (IOException e) {
      throw new CommandException(Problem.reason(e), e);
    }
  }

  /** Records that a file is stored up to a line. */
  void stored(String name, long line) {
    String path = path(name);
    if (path.lines().count() > 1) {
      return; // it would be read back as another file
    }
    lines.put(path, line);
    file.write(
        Stream.concat(
                hasRejected ? Stream.of(REJECTED) : Stream.empty(),
                lines.entrySet().stream().map(each -> each.getValue() + " " + each.getKey()))
            .collect(Collectors.joining("\n")));
  }

  /** Called when the import is complete. */
  void complete() {
    file.delete();
  }
}
