package org.hourstone.server;

import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import java.nio.file.Files;
import java.nio.file.Path;

/** Programs of packages that a build may lack, except where it is said to be complete. */
public final class DebianPackage {
  private DebianPackage() {}

  /**
   * The program, if it is installed; else the test is skipped, or fails where the environment has
   * {@code CI=true}.
   */
  public static Path program(String debianPackage, String path) {
    Path program = Path.of(path);
    if (!Files.isExecutable(program)) {
      String missing = path + " is missing: install the Debian package " + debianPackage;
      if ("true".equals(System.getenv("CI"))) {
        fail(missing);
      }
      abort(missing);
    }
    return program;
  }
}
