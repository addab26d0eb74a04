package org.hourstone.tsd;

/** The program's name as users know it. */
final class ProgramName {
  private ProgramName() {}

  /** Set by the launcher. */
  static String get() {
    return System.getProperty("hourstone.program", "hourstone");
  }
}
