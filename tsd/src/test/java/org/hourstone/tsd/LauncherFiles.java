package org.hourstone.tsd;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;

/** What a launcher needs in a test: a jar, and a Java that is a shell script. */
final class LauncherFiles {
  private LauncherFiles() {}

  /** Writes an executable file. */
  static void writeScript(Path file, String command) throws IOException {
    Files.writeString(file, "#!/bin/sh\n" + command + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /** Makes a JDK of which Java is a shell command. */
  static Path jdk(Path jdk, String command) throws IOException {
    writeScript(Files.createDirectories(jdk.resolve("bin")).resolve("java"), command);
    Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"17.0.1\"\n");
    return jdk;
  }

  /** A jar of nothing but the class path of this test. */
  static void writeJar(Path jar) throws IOException {
    Manifest manifest = new Manifest();
    Attributes attributes = manifest.getMainAttributes();
    attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    attributes.put(Attributes.Name.MAIN_CLASS, Main.class.getName());
    attributes.putValue("Enable-Native-Access", "ALL-UNNAMED"); // as the build's
    attributes.put(
        Attributes.Name.CLASS_PATH,
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .map(entry -> Path.of(entry).toUri().toString())
            .collect(Collectors.joining(" ")));
    new JarOutputStream(Files.newOutputStream(jar), manifest).close();
  }

  /** What it prints, on both streams. */
  static String run(ProcessBuilder process) throws IOException, InterruptedException {
    Process started = process.redirectErrorStream(true).start();
    try (OutputStream in = started.getOutputStream()) {
      in.flush();
    }
    String printed = new String(started.getInputStream().readAllBytes(), UTF_8);
    started.waitFor();
    return printed;
  }
}
