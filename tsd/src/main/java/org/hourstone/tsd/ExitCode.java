package org.hourstone.tsd;

/** How a command ends, as its process tells the shell. */
final class ExitCode {
  /** Done. */
  static final int OK = 0;

  /** Not done, or not all of it; standard error says why. */
  static final int FAILED = 1;

  /** Called wrongly. */
  static final int USAGE = 2;

  /** The store failed, so that it is not known; of {@code uid} only, as in OpenTSDB. */
  static final int STORE_FAILED = 3;

  /** A mistake in Hourstone, {@code EX_SOFTWARE} of BSD. */
  static final int BUG = 70;

  /** Nobody reads the output any more: what a shell shows of a process SIGPIPE has ended. */
  static final int READER_GONE = 141;

  private ExitCode() {}
}
