package org.hourstone.tsd.session;

/** The program's name as users know it. */
public final class ProgramName {
  private ProgramName() {}

  /** Set by the launcher. */
  public static String get() {
    return System.getProperty("hourstone.program", "hourstone");
  }
}
