package org.hourstone.pages;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A file of the repository, which is the working directory's grandparent. */
record Page(Path path) {
  static final Path ROOT = Path.of("../..");

  private static final Pattern CODE =
      Pattern.compile("^```.*?^```", Pattern.DOTALL | Pattern.MULTILINE);
  private static final Pattern HEADING = Pattern.compile("^#+ (.*)$", Pattern.MULTILINE);
  private static final Pattern LINK = Pattern.compile("\\[([^\\]]*)\\]\\(([^)\\s]+)\\)");

  static Page of(String path) {
    return new Page(ROOT.resolve(path));
  }

  /** The file, or the files below the folder, whose names match; not those that a build makes. */
  static Stream<Page> below(String path, Pattern name) {
    try (Stream<Path> files = Files.walk(ROOT.resolve(path))) {
      return files
          .filter(file -> name.matcher(file.toString()).matches())
          .filter(file -> !file.toString().contains("/target/"))
          .map(Page::new)
          .toList()
          .stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String name() {
    return ROOT.relativize(path).toString();
  }

  String text() {
    try {
      return Files.readString(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String prose() {
    return CODE.matcher(text()).replaceAll("");
  }

  /** The targets of its links. */
  List<String> links() {
    return LINK.matcher(prose()).results().map(link -> link.group(2)).toList();
  }

  /** The names by which links refer to its headings. */
  Set<String> anchors() {
    return HEADING
        .matcher(prose())
        .results()
        .map(heading -> anchor(heading.group(1)))
        .collect(Collectors.toSet());
  }

  private static String anchor(String heading) {
    return LINK.matcher(heading)
        .replaceAll("$1")
        .strip()
        .toLowerCase(Locale.ROOT)
        .replaceAll("[^\\p{L}\\p{N}_\\- ]", "")
        .replace(' ', '-');
  }
}
