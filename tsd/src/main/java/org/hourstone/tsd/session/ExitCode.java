package org.hourstone.tsd.session;

/** The exit codes of commands. */
public final class ExitCode {
  /** The command is complete. */
  public static final int OK = 0;

  /** The command failed, entirely or in part; standard error gives the reason. */
  public static final int FAILED = 1;

  /** Wrong usage. */
  public static final int USAGE = 2;

  /** {@code compare} could not ask both servers, so nothing is known about differences. */
  public static final int NOT_COMPARED = 2;

  /** The store failed, so that the result is unknown; used only by {@code uid}, as in OpenTSDB. */
  public static final int STORE_FAILED = 3;

  /** A bug in Hourstone, {@code EX_SOFTWARE} of BSD. */
  public static final int BUG = 70;

  /**
   * The reader has closed the output: the code that a shell shows for a process ended by SIGPIPE.
   */
  public static final int READER_GONE = 141;

  private ExitCode() {}
}
