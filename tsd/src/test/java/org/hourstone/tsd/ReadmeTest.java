package org.hourstone.tsd;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.PrintStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The README's Java programs are compiled and run verbatim. */
class ReadmeTest {
  private static final Pattern JAVA_BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  /** What the engine and the memory store need, of the class path. */
  private static final Pattern MODULE =
      Pattern.compile(
          ".*/(core|engine|backend-memory)/target/.*"
              + "|.*/(guava|failureaccess|jctools-core|RoaringBitmap|jackson-[a-z]+"
              + "|fastdoubleparser|jspecify|error_prone_annotations)-[^/]*[.]jar");

  /** The program with a class of this name. */
  private static String example(String name) throws Exception {
    Matcher block = JAVA_BLOCK.matcher(Files.readString(Path.of("..", "README.md")));
    return block
        .results()
        .map(found -> found.group(1))
        .filter(program -> program.contains("class " + name + " {"))
        .findFirst()
        .orElseThrow();
  }

  private static void compile(String name, String program, Path directory) throws Exception {
    Path source = Files.writeString(directory.resolve(name + ".java"), program);
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      Iterable<? extends JavaFileObject> sources = files.getJavaFileObjects(source);
      List<String> options = List.of("-proc:none", "-d", directory.toString());
      assertThat(compiler.getTask(null, files, null, options, null, sources).call()).isTrue();
    }
  }

  private static String run(String name, String program, Path directory) throws Exception {
    compile(name, program, directory);
    PrintStream before = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    try (URLClassLoader classes = new URLClassLoader(new URL[] {directory.toUri().toURL()})) {
      System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
      Method main = classes.loadClass(name).getMethod("main", String[].class);
      main.invoke(null, (Object) new String[0]);
    } finally {
      System.setOut(before);
    }
    return printed.toString(StandardCharsets.UTF_8);
  }

  @Test
  void theExampleStoresAPointAndFindsItAgain(@TempDir Path directory) throws Exception {
    String onRocksDb =
        example("Example")
            .replace("rocksdb:./data", "rocksdb:" + directory.resolve("data").toUri().getPath());
    assertThat(run("Example", onRocksDb, directory)).isEqualTo("{host=web01} 42.5\n");
  }

  @Test
  void withMemoryInsteadItIsAUnitTest(@TempDir Path directory) throws Exception {
    String inMemory = example("Example").replace("rocksdb:./data", "memory:");
    assertThat(run("Example", inMemory, directory)).isEqualTo("{host=web01} 42.5\n");
  }

  @Test
  void itRunsAsAModuleOfItsOwn(@TempDir Path directory) throws Exception {
    String inMemory = example("Example").replace("rocksdb:./data", "memory:");
    Path source = directory.resolve("Example.java");
    Files.writeString(source, "package app;\n" + inMemory);
    Path module = directory.resolve("module-info.java");
    Files.writeString(
        module, "module app { requires org.hourstone; requires org.hourstone.kv.memory; }");
    String modules =
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(entry -> MODULE.matcher(entry).matches())
            .collect(joining(File.pathSeparator));
    int status =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "-proc:none",
                "-p",
                modules,
                "-d",
                directory.resolve("app").toString(),
                source.toString(),
                module.toString());
    assertThat(status).isZero();

    Process java =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-p",
                modules + File.pathSeparator + directory.resolve("app"),
                "-m",
                "app/app.Example")
            .redirectErrorStream(true)
            .start();

    assertThat(new String(java.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
        .isEqualTo("{host=web01} 42.5\n");
    assertThat(java.waitFor()).isZero();
  }

  @Test
  void manyPointsAreStored(@TempDir Path directory) throws Exception {
    String inMemory = example("ManyPoints").replace("rocksdb:./data", "memory:");
    assertThat(run("ManyPoints", inMemory, directory)).isEqualTo("3600 points stored\n");
  }

  @Test
  void theUnitTestPasses(@TempDir Path directory) throws Exception {
    compile("CpuTest", example("CpuTest"), directory);
    try (URLClassLoader classes = new URLClassLoader(new URL[] {directory.toUri().toURL()})) {
      Constructor<?> constructor = classes.loadClass("CpuTest").getDeclaredConstructor();
      constructor.setAccessible(true);
      Method test = constructor.getDeclaringClass().getDeclaredMethod("theSumOfTwoHosts");
      test.setAccessible(true);
      test.invoke(constructor.newInstance());
    }
  }

  @Test
  void noOtherBlockOfJavaIsThere() throws Exception {
    assertThat(JAVA_BLOCK.matcher(Files.readString(Path.of("..", "README.md"))).results())
        .hasSize(3);
  }
}
