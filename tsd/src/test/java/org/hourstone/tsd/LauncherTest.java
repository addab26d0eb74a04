package org.hourstone.tsd;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.hourstone.tsd.LauncherFiles.run;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.hourstone.server.Client;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The script {@code hourstone} in a directory that looks as after a build. */
class LauncherTest {
  private static final Path SCRIPT = Path.of("..", "hourstone");

  /** A backend as {@code docs/write-your-own-backend.md} shows it, with a store in memory. */
  private static final String PROVIDER =
      """
      package com.example;

      import java.util.Set;
      import org.hourstone.kv.KeyValueStore;
      import org.hourstone.kv.KeyValueStoreProvider;
      import org.hourstone.kv.StoreOptions;
      import org.hourstone.kv.StoreUri;
      import org.hourstone.kv.memory.MemoryStoreProvider;

      public final class MyStoreProvider implements KeyValueStoreProvider {
        @Override
        public Set<String> schemes() {
          return Set.of("mystore");
        }

        @Override
        public KeyValueStore open(StoreUri uri, StoreOptions options) {
          uri.allowOnly(Set.of());
          return new MemoryStoreProvider().open(StoreUri.parse("memory:"), options);
        }
      }
      """;

  @TempDir private Path directory;
  private Path home;
  private Path javaHome;

  @BeforeEach
  void lookBuilt() throws Exception {
    home = directory.resolve("home");
    Path target = Files.createDirectories(home.resolve("tsd/target"));
    for (String module : List.of("core", "engine", "expressions", "tools", "api", "server")) {
      Files.createDirectories(home.resolve(module));
    }
    Files.createDirectories(home.resolve("backend-memory"));
    Files.writeString(home.resolve("pom.xml"), "<project/>");
    Files.copy(SCRIPT, home.resolve("hourstone"));
    Path launcher = Files.createDirectories(home.resolve("tsd/src/main/launcher"));
    for (String part : List.of("archive", "java", "run")) {
      Files.copy(Path.of("src/main/launcher", part), launcher.resolve(part));
    }
    LauncherFiles.writeJar(target.resolve("hourstone.jar"));
    LauncherFiles.writeScript(home.resolve("mvnw"), "echo '[ERROR] it builds'; exit 1");
    Files.writeString(target.resolve("hourstone.built"), "");
    javaHome = Path.of(System.getProperty("java.home"));
  }

  private Path jdk(String name, String command) throws IOException {
    return LauncherFiles.jdk(directory.resolve(name), command);
  }

  private void changeSources() throws IOException {
    Files.setLastModifiedTime(
        home.resolve("pom.xml"), FileTime.from(Instant.now().plusSeconds(3600)));
  }

  @Test
  @Timeout(120)
  void changedSourcesAreBuilt() throws Exception {
    changeSources();

    assertThat(run(hourstone("version")))
        .contains("building again: sources have changed", "it builds", "the build has failed");
  }

  /** As by Ctrl-C: what is still running of it must not keep the lock from the next build. */
  @Test
  @Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aBuildThatWasStoppedKeepsNoOtherFromStarting() throws Exception {
    changeSources();
    Path go = directory.resolve("go");
    run(new ProcessBuilder("mkfifo", go.toString()));
    LauncherFiles.writeScript(
        home.resolve("mvnw"), "echo '[ERROR] it builds'; read -r line <'" + go + "'; exit 1");
    Path log = directory.resolve("log");
    ProcessBuilder first = hourstone("version").redirectErrorStream(true);
    Process stopped = first.redirectOutput(log.toFile()).start();
    try (OutputStream builds = Files.newOutputStream(go)) { // opens when it is read
      stopped.destroy();
      stopped.waitFor();
      builds.write('\n');
    }
    LauncherFiles.writeScript(home.resolve("mvnw"), "echo '[ERROR] it builds again'; exit 1");

    assertThat(run(hourstone("version"))).contains("it builds again", "the build has failed");
  }

  @Test
  @Timeout(120)
  void aFolderInItsPathMayBeALink() throws Exception {
    javaHome = jdk("shows", "echo \"$@\"");
    Path bin = Files.createDirectories(directory.resolve("some where/bin"));
    Files.createSymbolicLink(bin.resolve("hs"), Path.of("../../home/hourstone"));
    Path link = Files.createSymbolicLink(directory.resolve("link"), bin);
    ProcessBuilder version = hourstone("version");
    version.command().set(1, link.resolve("hs").toString());

    assertThat(run(version)).contains("-jar " + home.resolve("tsd/target/hourstone.jar"));
  }

  @Test
  @Timeout(120)
  void anotherJavaNeedsNoBuild() throws Exception {
    javaHome = jdk("other", "exec '" + javaHome.resolve("bin/java") + "' \"$@\"");

    assertThat(run(hourstone("version"))).startsWith("hourstone ").doesNotContain("build");
  }

  @Test
  @Timeout(120)
  void aTreeThatMayNotBeWrittenIsNotBuilt() throws Exception {
    changeSources();
    Path tree = directory.resolve("tree");
    Files.createDirectory(tree);
    assumeThat(mount("--bind", home.toString(), tree.toString()))
        .as("SKIPPED, cannot mount here")
        .isEmpty();
    try {
      assumeThat(mount("-o", "remount,ro,bind", tree.toString()))
          .as("SKIPPED, cannot mount read-only here")
          .isEmpty();
      ProcessBuilder version = hourstone("version");
      version.command().set(1, tree.resolve("hourstone").toString());

      assertThat(run(version))
          .startsWith("hourstone: sources have changed since the build")
          .contains("\nhourstone ")
          .doesNotContain("it builds", "Read-only");

      Files.delete(home.resolve("tsd/target/hourstone.jar"));
      assertThat(run(version))
          .startsWith("hourstone: is not built yet, and " + tree)
          .hasLineCount(1);
    } finally {
      run(new ProcessBuilder("umount", "--lazy", tree.toString()));
    }
  }

  /** What is wrong; empty if nothing is. */
  private static String mount(String... arguments) throws InterruptedException {
    try {
      List<String> command = new ArrayList<>(List.of("mount"));
      command.addAll(List.of(arguments));
      return run(new ProcessBuilder(command));
    } catch (IOException e) {
      return String.valueOf(e.getMessage());
    }
  }

  @Test
  @Timeout(120)
  void anArchiveOfClassesIsUsedWithTheJavaAndTheJarOfWhichItWasMade() throws Exception {
    javaHome = jdk("shows", "echo \"$@\"");
    Path archive = home.resolve("tsd/target/hourstone.jsa");
    String option = "-XX:SharedArchiveFile=" + archive;
    assertThat(run(hourstone("version"))).as("none").doesNotContain("SharedArchiveFile");
    Files.writeString(archive, "");
    assertThat(run(hourstone("version"))).as("of no Java").doesNotContain("SharedArchiveFile");
    Path release = javaHome.resolve("release");
    Path jar = home.resolve("tsd/target/hourstone.jar");
    String sum = "{ cat \"$0\"; echo \"$1\"; cat \"$1\"; } | cksum";
    String made = run(new ProcessBuilder("sh", "-c", sum, release.toString(), jar.toString()));
    Files.writeString(archive.resolveSibling("hourstone.jsa.for"), made);
    assertThat(run(hourstone("version"))).contains(option, " version");

    byte[] description = Files.readAllBytes(release);
    Files.writeString(release, "JAVA_VERSION=\"17.0.99\"\n");
    assertThat(run(hourstone("version"))).as("another's").doesNotContain("SharedArchiveFile");
    Files.write(release, description);
    Path elsewhere = directory.resolve("elsewhere");
    Files.move(home, elsewhere);
    home = elsewhere;
    assertThat(run(hourstone("version"))).as("moved").doesNotContain("SharedArchiveFile");
    home = Files.move(elsewhere, directory.resolve("home"));
    Files.writeString(jar, "another");
    assertThat(run(hourstone("version"))).as("of another jar").doesNotContain("SharedArchiveFile");
  }

  @Test
  @Timeout(120)
  void anOldJavaIsRefused() throws Exception {
    javaHome = jdk("old", "echo unexpected");
    Files.writeString(javaHome.resolve("release"), "JAVA_VERSION=\"11.0.2\"\n");

    assertThat(run(hourstone("version")))
        .contains("needs Java 17 or newer, and " + javaHome, "is Java 11")
        .doesNotContain("unexpected");
    javaHome = directory.resolve("nowhere");
    assertThat(run(hourstone("version"))).contains("there is no " + javaHome);
  }

  @Test
  @Timeout(120)
  void aBackendInAJarOfItsOwnIsFoundByItsScheme() throws Exception {
    Path jars = Files.createDirectory(directory.resolve("jars"));
    packBackend(jars.resolve("mystore.jar"));
    ProcessBuilder demo = hourstone("--store", "mystore:/some/where", "demo");
    demo.environment().put("HOURSTONE_CLASSPATH", jars + "/*");

    assertThat(run(demo)).contains("mystore:/some/where");
  }

  @Test
  @Timeout(120)
  void withoutItsJarItsSchemeIsUnknown() throws Exception {
    ProcessBuilder demo = hourstone("--store", "mystore:/some/where", "demo");

    assertThat(run(demo)).contains("mystore").contains("memory").doesNotContain("Exception");
  }

  /** The Javas of this machine that are newer than the one of this test. */
  static List<Arguments> newerJavas() throws IOException {
    Path all = Path.of("/usr/lib/jvm");
    if (!Files.isDirectory(all)) {
      return List.of();
    }
    List<Arguments> newer = new ArrayList<>();
    try (Stream<Path> each = Files.list(all)) {
      for (Path jdk : each.filter(path -> !Files.isSymbolicLink(path)).sorted().toList()) {
        int version = version(jdk.resolve("release"));
        if (version > Runtime.version().feature()) {
          newer.add(Arguments.of(jdk, version));
        }
      }
    }
    return newer;
  }

  private static int version(Path release) throws IOException {
    if (!Files.exists(release)) {
      return 0;
    }
    Matcher version = Pattern.compile("JAVA_VERSION=\"(\\d+)").matcher(Files.readString(release));
    return version.find() ? Integer.parseInt(version.group(1)) : 0;
  }

  /** Java warns of what a later version will refuse. */
  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("newerJavas")
  @Timeout(300)
  void aNewerJavaWarnsOfNothing(Path jdk, int version) throws Exception {
    javaHome = jdk;
    String store = "rocksdb:" + directory.resolve("db");

    assertThat(run(hourstone("--store", store, "demo")))
        .contains("The data stays")
        .doesNotContain("WARNING");

    File log = directory.resolve("log").toFile();
    Process daemon =
        hourstone("--store", store, "tsd", "--port", "0", "--auto-metric")
            .redirectError(log)
            .start();
    try (BufferedReader out = daemon.inputReader()) {
      String serving = String.valueOf(out.readLine());
      int port = Integer.parseInt(serving.substring(serving.lastIndexOf(':') + 1));
      InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
      String point =
          "{\"metric\":\"m\",\"timestamp\":1500000000,\"value\":7,\"tags\":{\"h\":\"a\"}}";
      assertThat(Client.request(address, "POST", "/api/put", point).status()).isEqualTo(204);
      assertThat(Client.request(address, "GET", "/api/query?start=1500000000&m=sum:m", "").body())
          .contains("{\"1500000000\":7}");
    } finally {
      daemon.destroy();
    }
    assertThat(daemon.waitFor()).isZero();
    assertThat(Files.readString(log.toPath())).contains(" on Java " + version);
    assertThat(Files.readAllLines(log.toPath())).noneMatch(line -> line.startsWith("WARNING: "));
  }

  /** As later versions do by themselves. */
  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("newerJavas")
  @Timeout(120)
  void noStoreOfOneProcessNeedsUnsafeMemory(Path jdk, int version) throws Exception {
    assumeThat(version).isGreaterThanOrEqualTo(24);
    ProcessBuilder demo =
        new ProcessBuilder(
            jdk.resolve("bin/java").toString(),
            "--sun-misc-unsafe-memory-access=deny",
            "-jar",
            home.resolve("tsd/target/hourstone.jar").toString(),
            "--store",
            "rocksdb:" + directory.resolve("db"),
            "demo");

    assertThat(run(demo)).contains("The data stays").doesNotContain("WARNING");
  }

  @Test
  void itBuildsAgainIfSourcesOfAnyModuleOfTheJarHaveChanged() throws IOException {
    String script = Files.readString(SCRIPT);
    try (Stream<Path> folders = Files.list(Path.of(".."))) {
      assertThat(folders.filter(each -> Files.isDirectory(each.resolve("src/main/java"))))
          .map(each -> "" + each.getFileName())
          .filteredOn(module -> !List.of("bench", "junit", "testkit").contains(module))
          .hasSizeGreaterThan(8)
          .allMatch(
              module ->
                  script.contains("\"$home\"/" + module.replaceFirst("backend-.*", "backend-*")));
    }
  }

  private void packBackend(Path jar) throws IOException {
    Path source = directory.resolve("MyStoreProvider.java");
    Files.writeString(source, PROVIDER);
    Path classes = Files.createDirectory(directory.resolve("classes"));
    int status =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "-cp",
                System.getProperty("java.class.path"),
                "-proc:none",
                "-d",
                classes.toString(),
                source.toString());
    assertThat(status).as("status of the compiler").isZero();
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
      String provider = "com/example/MyStoreProvider.class";
      add(out, provider, Files.readAllBytes(classes.resolve(provider)));
      add(
          out,
          "META-INF/services/org.hourstone.kv.KeyValueStoreProvider",
          "com.example.MyStoreProvider\n".getBytes(UTF_8));
    }
  }

  private static void add(JarOutputStream jar, String name, byte[] bytes) throws IOException {
    jar.putNextEntry(new JarEntry(name));
    jar.write(bytes);
    jar.closeEntry();
  }

  private ProcessBuilder hourstone(String... words) {
    ProcessBuilder process = new ProcessBuilder("sh", home.resolve("hourstone").toString());
    process.command().addAll(Arrays.asList(words));
    process.environment().put("JAVA_HOME", javaHome.toString());
    process.environment().remove("HOURSTONE_CLASSPATH");
    return process;
  }
}
