package org.hourstone.api.request;

import java.util.List;

/** The commands that a program executes as jobs, over its open database. Thread-safe. */
public interface JobCommands {
  /**
   * A command that was parsed.
   *
   * @param kind its name; one job of a kind runs at a time
   */
  record Command(String kind, Work work) {}

  /** What a job does. */
  interface Work {
    /**
     * Executes it, on a thread of its own.
     *
     * @return whether it succeeded completely
     * @throws RuntimeException with the reason if it failed
     */
    boolean run(JobOutput output);
  }

  /** Where a job reports what it does; may be called by several threads. */
  interface JobOutput {
    /** A line of text, as a command line would print it. */
    void line(String text);

    /**
     * How much is done.
     *
     * @param rows so far; negative if they are not counted
     * @param done how many of the parts are complete
     * @param parts 0 if unknown
     */
    void progress(long rows, int done, int parts);

    /** Whether the job is to end soon, since it was cancelled or the process ends. */
    boolean isCancelled();
  }

  /**
   * Parses a command.
   *
   * @param words as on a command line, such as {@code fsck --full-scan}
   * @throws ApiException 400 if it is wrong, or no command that can be a job
   */
  Command parse(List<String> words);

  /** The URI of the store that they work on; empty if it is not known. */
  String store();

  /** For a program without commands. */
  static JobCommands none() {
    return new JobCommands() {
      @Override
      public Command parse(List<String> words) {
        throw new ApiException(ApiException.NOT_IMPLEMENTED, "This program has no commands");
      }

      @Override
      public String store() {
        return "";
      }
    };
  }
}
