package org.hourstone.pages;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.FileVisitor;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
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
    List<Page> found = new ArrayList<>();
    FileVisitor<Path> visitor =
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            return folder.endsWith("target")
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (name.matcher(file.toString()).matches()) {
              found.add(new Page(file));
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            if (e instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE; // tests of other modules make files for a moment
            }
            throw e;
          }
        };
    try {
      Files.walkFileTree(ROOT.resolve(path), visitor);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return found.stream().sorted(Comparator.comparing(Page::name));
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
