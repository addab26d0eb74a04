package org.hourstone.clients;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** A program that uses a client as its users do, run in a process of its own until it ends. */
public enum ClientProgram {
  /** {@code micrometer-registry-opentsdb}. */
  MICROMETER("MicrometerProgram"),
  /** {@code micrometer-registry-influx}. */
  MICROMETER_INFLUX("MicrometerInfluxProgram"),
  /** {@code influxdb-client-java}, of InfluxDB's version 2. */
  INFLUX_CLIENT("InfluxClientProgram"),
  /** {@code influxdb-java}, of InfluxDB's version 1. */
  INFLUX_DB("InfluxDbProgram"),
  /** {@code micrometer-registry-otlp}. */
  MICROMETER_OTLP("MicrometerOtlpProgram"),
  /** The SDK of OpenTelemetry for Java, with its exporter of OTLP. */
  OPENTELEMETRY("OpenTelemetryProgram"),
  /** {@code metrics-opentsdb} of Dropwizard's metrics. */
  DROPWIZARD("DropwizardProgram"),
  /** {@code opentsdb-java-sdk} of eulery. */
  EULERY("EuleryProgram");

  private final String main;

  ClientProgram(String main) {
    this.main = main;
  }

  /**
   * Runs it.
   *
   * @param server that it connects to
   * @return what it has printed
   * @throws IllegalStateException if it failed; with what it has printed
   */
  public String run(InetSocketAddress server) {
    try {
      Path target = target();
      Process process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Xmx128m",
                  "-XX:TieredStopAtLevel=1",
                  "-cp",
                  target.resolve("classes")
                      + System.getProperty("path.separator")
                      + Files.readString(target.resolve("class-path")),
                  "org.hourstone.clients." + main,
                  server.getAddress().getHostAddress(),
                  Integer.toString(server.getPort()))
              .redirectErrorStream(true)
              .start();
      process.getOutputStream().close();
      String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      int status = process.waitFor();
      if (status != 0) {
        throw new IllegalStateException(main + " ended with " + status + ":\n" + printed);
      }
      return printed;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Where this module was built: its classes are there, and the list of jars to run with. */
  private static Path target() {
    try {
      URI built = ClientProgram.class.getProtectionDomain().getCodeSource().getLocation().toURI();
      return Path.of(built).resolve("..").normalize();
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
