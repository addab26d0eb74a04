package org.hourstone.tsd;

/** The exit codes of commands. */
final class ExitCode {
  /** The command is complete. */
  static final int OK = 0;

  /** The command failed, entirely or in part; standard error gives the reason. */
  static final int FAILED = 1;

  /** Wrong usage. */
  static final int USAGE = 2;

  /** The store failed, so that the result is unknown; used only by {@code uid}, as in OpenTSDB. */
  static final int STORE_FAILED = 3;

  /** A bug in Hourstone, {@code EX_SOFTWARE} of BSD. */
  static final int BUG = 70;

  /**
   * The reader has closed the output: the code that a shell shows for a process ended by SIGPIPE.
   */
  static final int READER_GONE = 141;

  private ExitCode() {}
}
