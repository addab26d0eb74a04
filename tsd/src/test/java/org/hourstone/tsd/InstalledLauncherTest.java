package org.hourstone.tsd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hourstone.tsd.LauncherFiles.run;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The launcher of the packages, in a folder as it is when one is installed. */
@Timeout(120)
class InstalledLauncherTest {
  @TempDir private Path directory;
  private Path home;
  private Path javaHome;

  @BeforeEach
  void install() throws Exception {
    home = directory.resolve("hour stone");
    Path bin = Files.createDirectories(home.resolve("bin"));
    Path lib = Files.createDirectories(home.resolve("lib"));
    Files.copy(Path.of("../dist/src/main/launcher/hourstone"), bin.resolve("hourstone"));
    for (String part : new String[] {"archive", "java", "run"}) {
      Files.copy(Path.of("src/main/launcher", part), lib.resolve(part));
    }
    LauncherFiles.writeJar(home.resolve("hourstone.jar"));
    Files.createDirectories(home.resolve("conf"));
    javaHome = Path.of(System.getProperty("java.home"));
  }

  private ProcessBuilder program(Path program, String... words) {
    ProcessBuilder process = new ProcessBuilder(words);
    process.command().add(0, program.toString());
    process.environment().put("JAVA_HOME", javaHome.toString());
    process.environment().keySet().removeIf(name -> name.startsWith("HOURSTONE_"));
    return process.directory(directory.toFile());
  }

  private ProcessBuilder hourstone(String... words) {
    return program(home.resolve("bin/hourstone"), words);
  }

  /** As /bin is a link, and has a link to the program. */
  @Test
  void aFolderInItsPathMayBeALink() throws Exception {
    javaHome = LauncherFiles.jdk(directory.resolve("shows"), "echo \"$@\"");
    Path bin = Files.createDirectories(directory.resolve("usr/bin"));
    Files.createSymbolicLink(bin.resolve("hourstone"), Path.of("../../hour stone/bin/hourstone"));
    Path link = Files.createSymbolicLink(directory.resolve("bin"), Path.of("usr/bin"));
    Path folder = Files.createSymbolicLink(directory.resolve("ours"), home.resolve("bin"));

    for (Path each : new Path[] {link, folder}) {
      assertThat(run(program(each.resolve("hourstone"), "version")))
          .as(each.toString())
          .contains("-jar " + home.resolve("hourstone.jar"))
          .contains("-Dhourstone.config=" + home.resolve("conf/hourstone.conf"));
    }
  }

  @Test
  void itsSettingsAreInItsOwnFileAndNotInOpenTsdbs() throws Exception {
    Files.writeString(directory.resolve("opentsdb.conf"), "tsd.storage.max_tags = x\n");
    String[] command = {"--store", "memory:", "uid", "stats"};

    assertThat(run(hourstone(command))).doesNotContain("max_tags", "opentsdb.conf");
    Files.writeString(home.resolve("conf/hourstone.conf"), "tsd.storage.max_tags = y\n");
    assertThat(run(hourstone(command))).contains("tsd.storage.max_tags=y");
    ProcessBuilder named = hourstone(command);
    named.environment().put("HOURSTONE_CONFIG", "opentsdb.conf");
    assertThat(run(named)).contains("tsd.storage.max_tags=x");
    named.environment().put("HOURSTONE_CONFIG", "");
    assertThat(run(named)).contains("tsd.storage.max_tags=y");
    named.environment().put("HOURSTONE_CONFIG", "missing.conf");
    assertThat(run(named)).contains("settings missing.conf");
  }

  /** Such as by a variable of the service, or an agent for every Java. */
  @Test
  void anArchiveOfClassesIsMadeWithoutTheSettingsOfTheCaller() throws Exception {
    Path seen = directory.resolve("seen");
    javaHome =
        LauncherFiles.jdk(directory.resolve("fails"), "/usr/bin/env >'" + seen + "'; exit 1");
    Path cache = Files.createDirectories(directory.resolve("var/cache")).resolve("hourstone");
    Files.createSymbolicLink(home.resolve("cache"), cache);
    Path link =
        Files.createSymbolicLink(
            directory.resolve("make-archive"), home.resolve("lib/archive").toAbsolutePath());
    ProcessBuilder archive = program(link);
    archive.environment().put("TSD_NETWORK_BIND", "0.0.0.0");
    archive.environment().put("JAVA_TOOL_OPTIONS", "-javaagent:agent.jar");

    run(archive);

    assertThat(Files.readString(seen))
        .contains("LC_ALL=C.UTF-8")
        .doesNotContain("TSD_NETWORK_BIND", "JAVA_TOOL_OPTIONS");
    assertThat(cache).isEmptyDirectory();
  }
}
