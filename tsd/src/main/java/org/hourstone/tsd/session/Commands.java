package org.hourstone.tsd.session;

/** The program's commands, for one that has others executed. Thread-safe. */
public interface Commands {
  /**
   * Parses a command without executing it.
   *
   * @return its name
   * @throws UsageException if it is wrong, or can't be a job
   */
  String job(Session session, String... words);

  /**
   * Executes it.
   *
   * @return whether it succeeded completely
   * @throws RuntimeException if it failed
   */
  boolean runJob(Session session, String... words);

  /** Of a program without any. */
  static Commands none() {
    return new Commands() {
      @Override
      public String job(Session session, String... words) {
        throw new UsageException("no command");
      }

      @Override
      public boolean runJob(Session session, String... words) {
        throw new UsageException("no command");
      }
    };
  }
}
