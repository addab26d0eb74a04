package org.hourstone.bench;

import java.lang.management.ManagementFactory;
import java.util.Locale;

/** The machine of a measurement. */
final class Machine {
  private Machine() {}

  /** One line: JVM, processors, heap, operating system, and how busy it was just before. */
  static String description() {
    return String.format(
        Locale.ROOT,
        "JVM %s, %d processors, heap %d MiB, %s %s, load %.1f",
        Runtime.version(),
        Runtime.getRuntime().availableProcessors(),
        Runtime.getRuntime().maxMemory() >> 20,
        System.getProperty("os.name"),
        System.getProperty("os.version"),
        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
  }
}
