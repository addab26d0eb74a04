package org.hourstone.tsd;

import static java.util.function.Predicate.not;
import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * The two pictures of docs/architecture.md are those of the poms and of the classes. With {@code
 * -Ddocs.write} the test redraws them.
 */
class ArchitecturePageTest {
  private static final Path ROOT = Path.of("..");
  private static final Path PAGE = ROOT.resolve("docs/architecture.md");
  private static final String ENGINE = "org.hourstone";

  @Test
  void modulesAreDrawnAsThePomsConnectThem() throws Exception {
    Map<String, String> folders = new TreeMap<>();
    for (String folder : texts(ROOT.resolve("pom.xml"), "module")) {
      folders.put(artifact(folder), folder);
    }
    Map<String, Set<String>> uses = new TreeMap<>();
    for (String folder : folders.values()) {
      if (!folder.equals("bom")) {
        uses.put(folder, dependencies(folder, folders));
      }
    }

    checkPicture("modules", uses);
  }

  @Test
  void packagesAreDrawnAsTheirClassesUseEachOther() throws IOException {
    Set<String> packages = new TreeSet<>(Set.of("Tsdb"));
    for (String module : List.of("core", "engine")) {
      try (Stream<Path> folders =
          Files.list(ROOT.resolve(module).resolve("src/main/java/org/hourstone"))) {
        folders.filter(Files::isDirectory).forEach(each -> packages.add("" + each.getFileName()));
      }
    }
    Map<String, Set<String>> uses = new TreeMap<>();
    for (JavaClass type : new ClassFileImporter().importPackages(ENGINE)) {
      if (packages.contains(name(type))) {
        Set<String> used = uses.computeIfAbsent(name(type), name -> new TreeSet<>());
        type.getDirectDependenciesFromSelf().stream()
            .map(dependency -> name(dependency.getTargetClass()))
            .filter(packages::contains)
            .filter(not(name(type)::equals))
            .forEach(used::add);
      }
    }

    checkPicture("packages", uses);
  }

  private static String name(JavaClass type) {
    String name = type.getPackageName();
    return name.equals(ENGINE) ? "Tsdb" : name.replaceFirst("^org\\.hourstone\\.(\\w+).*", "$1");
  }

  private static String artifact(String folder) throws Exception {
    return texts(ROOT.resolve(folder).resolve("pom.xml"), "artifactId").stream()
        .filter(not("hourstone-parent"::equals))
        .findFirst()
        .orElseThrow();
  }

  /** The folders of the modules that this one needs for more than its tests. */
  private static Set<String> dependencies(String folder, Map<String, String> folders)
      throws Exception {
    Set<String> uses = new TreeSet<>();
    NodeList dependencies = elements(ROOT.resolve(folder).resolve("pom.xml"), "dependency");
    for (int i = 0; i < dependencies.getLength(); i++) {
      Element dependency = (Element) dependencies.item(i);
      String used = folders.get(text(dependency, "artifactId"));
      if (used != null && !text(dependency, "scope").equals("test")) {
        uses.add(used);
      }
    }
    return uses;
  }

  private static NodeList elements(Path pom, String tag) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(pom.toFile())
        .getElementsByTagName(tag);
  }

  private static List<String> texts(Path pom, String tag) throws Exception {
    NodeList found = elements(pom, tag);
    return Stream.iterate(0, i -> i + 1)
        .limit(found.getLength())
        .map(i -> found.item(i).getTextContent().strip())
        .toList();
  }

  private static String text(Element parent, String tag) {
    NodeList found = parent.getElementsByTagName(tag);
    return found.getLength() == 0 ? "" : found.item(0).getTextContent().strip();
  }

  private static void checkPicture(String name, Map<String, Set<String>> uses) throws IOException {
    String begin = "<!-- generated: " + name + " -->\n";
    String end = "<!-- end -->\n";
    String page = Files.readString(PAGE);
    Pattern block =
        Pattern.compile(Pattern.quote(begin) + "(.*?)" + Pattern.quote(end), Pattern.DOTALL);
    String drawn = block.matcher(page).replaceFirst(begin + picture(uses) + end);
    if (System.getProperty("docs.write") != null) {
      Files.writeString(PAGE, drawn);
    }
    assertThat(page)
        .as("docs/architecture.md: redraw with -Ddocs.write")
        .containsPattern(block)
        .isEqualTo(drawn);
  }

  /** Arrows that follow from others are omitted. */
  private static String picture(Map<String, Set<String>> uses) {
    StringBuilder text = new StringBuilder("```mermaid\nflowchart TD\n");
    uses.forEach(
        (from, all) ->
            all.stream()
                .filter(
                    to ->
                        all.stream()
                            .filter(not(to::equals))
                            .noneMatch(between -> reachable(between, uses).contains(to)))
                .forEach(to -> text.append("  %s --> %s\n".formatted(node(from), node(to)))));
    return text.append("```\n").toString();
  }

  private static String node(String name) {
    return name.replaceFirst("^testing/", "");
  }

  private static Set<String> reachable(String from, Map<String, Set<String>> uses) {
    Set<String> found =
        uses.getOrDefault(from, Set.of()).stream().collect(toCollection(TreeSet::new));
    for (String next : List.copyOf(found)) {
      found.addAll(reachable(next, uses));
    }
    return found;
  }
}
