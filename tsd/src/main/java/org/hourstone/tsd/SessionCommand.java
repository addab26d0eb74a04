package org.hourstone.tsd;

import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** A command. Its fields are its options and parameters, set by picocli. For one thread. */
abstract class SessionCommand implements Callable<Integer> {
  private @Nullable Session session;

  /** Sets the context; called once, before the options are read. */
  final void in(Session context) {
    session = context;
  }

  final Session session() {
    return Objects.requireNonNull(session);
  }

  /** Standard output. */
  final TextOutput out() {
    return session().out();
  }

  /** Adds options that are not fields. */
  void addOptions() {}

  /**
   * Executes the command.
   *
   * @return whether it succeeded completely; if not, standard error has the reason
   */
  abstract boolean run() throws InterruptedException;

  @Override
  public final Integer call() throws InterruptedException {
    LogLines.use(false); // a line for each message
    try {
      return run() ? ExitCode.OK : ExitCode.FAILED;
    } finally {
      session().store().close();
    }
  }
}
