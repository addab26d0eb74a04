package org.hourstone.pages;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPathFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;

/** Each POM has what Maven Central wants of an artifact, by itself or from its parent. */
class PomsTest {
  private static final List<String> OF_EACH = List.of("name", "description");
  private static final List<String> INHERITED =
      List.of(
          "url",
          "licenses/license/name",
          "licenses/license/url",
          "developers/developer/name",
          "scm/connection",
          "scm/developerConnection",
          "scm/url");

  private static Document pom(String folder) throws Exception {
    try (InputStream in = Files.newInputStream(Page.ROOT.resolve(Path.of(folder, "pom.xml")))) {
      return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(in);
    }
  }

  /** The text at a path of a project; empty if there is none. */
  private static String text(Document pom, String path) throws Exception {
    return XPathFactory.newInstance().newXPath().evaluate("/project/" + path, pom).strip();
  }

  private static List<String> modules() throws Exception {
    Document root = pom("");
    List<String> modules = new ArrayList<>();
    for (int i = 1; !text(root, "modules/module[" + i + "]").isEmpty(); i++) {
      modules.add(text(root, "modules/module[" + i + "]"));
    }
    return modules;
  }

  @Test
  void eachArtifactIsDescribed() throws Exception {
    List<String> missing = new ArrayList<>();
    List<String> folders = new ArrayList<>(List.of(""));
    folders.addAll(modules());
    assertThat(folders).contains("bom", "engine", "tsd").hasSizeGreaterThan(20);
    for (String folder : folders) {
      Document pom = pom(folder);
      List<String> wanted = new ArrayList<>(OF_EACH);
      if (!text(pom, "parent/artifactId").equals("hourstone-parent")) {
        wanted.addAll(INHERITED);
      }
      for (String path : wanted) {
        if (text(pom, path).isEmpty()) {
          missing.add(folder + "/pom.xml: " + path);
        }
      }
    }
    assertThat(missing).isEmpty();
  }

  /** Until the first release the addresses are of a domain that can never exist. */
  @Test
  void aReleaseHasRealAddresses() throws Exception {
    String version = text(pom(""), "version");
    assertThat(text(pom("bom"), "version")).isEqualTo(version);
    for (String file : List.of("pom.xml", "bom/pom.xml", "dist/src/main/deb/control/control")) {
      assertThat(version.endsWith("-SNAPSHOT") || !read(file).contains(".invalid"))
          .as("real addresses in " + file + " of " + version)
          .isTrue();
    }
  }

  private static String read(String file) throws Exception {
    return Files.readString(Page.ROOT.resolve(file));
  }

  /**
   * Maven adds the name of a module to each address that it inherits, unless an attribute forbids
   * that.
   */
  @Test
  void addressesAreInheritedAsTheyAre() throws Exception {
    Document root = pom("");

    assertThat(text(root, "@child.project.url.inherit.append.path")).isEqualTo("false");
    for (String each : List.of("connection", "developerConnection", "url")) {
      assertThat(text(root, "scm/@child.scm." + each + ".inherit.append.path"))
          .as(each)
          .isEqualTo("false");
    }
  }
}
