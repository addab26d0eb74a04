package org.hourstone.tsd;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.hourstone.write.SingleLine;
import org.jspecify.annotations.Nullable;

/**
 * Up to which line each file of an import is stored, kept in a resume file: the store on its first
 * line, then {@code LINE FILE} for each file, with its real path: a name may be another file's in
 * another directory.
 */
final class ImportPlaces {
  private final ResumeFile file;
  private final String identity;
  private final Map<String, Long> lines = new LinkedHashMap<>();
  private final Map<String, String> paths = new HashMap<>();

  /**
   * @throws CommandException if the file is not that of an import into the store
   */
  ImportPlaces(ResumeFile file, String store) {
    this.file = file;
    this.identity = "import into " + SingleLine.of(store);
    String text = file.readText();
    if (text != null) {
      read(text);
    }
  }

  private void read(String text) {
    String first = text.lines().findFirst().orElse("");
    if (!first.equals(identity)) {
      throw new CommandException(
          "the resume file is from a different import: "
              + SingleLine.of(first)
              + "; this is an "
              + identity);
    }
    for (String line : text.lines().skip(1).toList()) {
      int space = line.indexOf(' ');
      if (space < 1 || space > 18 || !line.substring(0, space).matches("[0-9]+")) {
        throw new CommandException("the resume file is corrupt: " + SingleLine.of(line));
      }
      lines.put(line.substring(space + 1), Long.valueOf(line.substring(0, space)));
    }
  }

  /** The number of lines of a file that are stored. */
  long of(String name) {
    @Nullable Long known = lines.get(path(name));
    return known == null ? 0 : known;
  }

  /** Found once, since a file may be removed while it is read. */
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

  /** A file is stored up to a line. */
  void stored(String name, long line) {
    String path = path(name);
    if (path.lines().count() > 1) {
      return; // it would read back as another file
    }
    lines.put(path, line);
    StringBuilder text = new StringBuilder(identity).append('\n');
    lines.forEach((each, number) -> text.append(number).append(' ').append(each).append('\n'));
    file.writeText(text.toString());
  }

  /** The import is complete. */
  void complete() {
    file.delete();
  }
}
