package org.hourstone.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program of docs/daemon.md that embeds the server. */
class EmbeddedTest {
  private static final Pattern PROGRAM =
      Pattern.compile("```java\n((?:(?!```).)*class Embedded .*?)```", Pattern.DOTALL);

  private static String program() throws Exception {
    Matcher found = PROGRAM.matcher(Files.readString(Path.of("..", "docs", "daemon.md")));
    assertThat(found.find()).isTrue();
    return found.group(1);
  }

  @Test
  void itsCodeHasTenLines() throws Exception {
    assertThat(program().lines().filter(line -> !line.isBlank())).hasSizeLessThanOrEqualTo(10);
  }

  @Test
  void itServesUntilItIsInterrupted(@TempDir Path directory) throws Exception {
    String onFreePort =
        program()
            .replace(
                "Tsdb.open(\"rocksdb:./data\")",
                "Tsdb.open(\"memory:\", org.hourstone.TsdbOptions.defaults()"
                    + ".with(org.hourstone.DaemonSettings.PORT, \"0\"))");
    Path source = Files.writeString(directory.resolve("Embedded.java"), onFreePort);
    String[] options = {"-proc:none", "-d", directory.toString(), source.toString()};
    assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, options)).isZero();
    CompletableFuture<Throwable> end = new CompletableFuture<>();
    PrintStream before = System.out;
    try (URLClassLoader classes = new URLClassLoader(new URL[] {directory.toUri().toURL()});
        PipedInputStream printed = new PipedInputStream();
        PrintStream out =
            new PrintStream(new PipedOutputStream(printed), true, StandardCharsets.UTF_8)) {
      Method main = classes.loadClass("Embedded").getMethod("main", String[].class);
      Thread thread = new Thread(() -> run(main, end), "embedded");
      System.setOut(out);
      thread.start();
      String line =
          new BufferedReader(new InputStreamReader(printed, StandardCharsets.UTF_8)).readLine();
      System.setOut(before);

      assertThat(line).startsWith("serving ");
      URI version = URI.create("http:/" + line.replaceFirst("serving ", "") + "/api/version");
      assertThat(
              HttpClient.newHttpClient()
                  .send(HttpRequest.newBuilder(version).build(), BodyHandlers.ofString())
                  .statusCode())
          .isEqualTo(200);
      thread.interrupt();
      assertThat(end.get(30, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
    } finally {
      System.setOut(before);
    }
  }

  private static void run(Method main, CompletableFuture<Throwable> end) {
    try {
      main.invoke(null, (Object) new String[0]);
    } catch (InvocationTargetException e) {
      end.complete(e.getCause());
    } catch (IllegalAccessException e) {
      end.complete(e);
    }
  }
}
