package org.hourstone.tsd.session;

import java.util.Objects;
import java.util.concurrent.Callable;
import org.hourstone.error.RequestException;
import org.hourstone.tsd.terminal.TextOutput;
import org.jspecify.annotations.Nullable;

/** A command. Its fields are its options and parameters, set by picocli. For one thread. */
public abstract class SessionCommand implements Callable<Integer> {
  private @Nullable Session session;

  /** Sets the context; called once, before the options are read. */
  public final void in(Session context) {
    session = context;
  }

  protected final Session session() {
    return Objects.requireNonNull(session);
  }

  /** Standard output. */
  protected final TextOutput out() {
    return session().out();
  }

  /**
   * Whether a daemon that has the store open may execute it, as a job.
   *
   * @throws UsageException if it may not with the options that are given
   */
  public boolean isJob() {
    return false;
  }

  /**
   * What to do if another process has the store open which the command would write to, after the
   * words "in use by another process". A job needs nothing else.
   */
  public String whenInUse() {
    return "stop that process first";
  }

  /** Whether it talks itself to the daemon that {@code --server} names. */
  public boolean takesServer() {
    return false;
  }

  /**
   * Checks the options and parameters that are given, as far as they can be without the store.
   * Called before the command is executed; if that is done by a daemon, before the job begins.
   *
   * @throws UsageException if they are wrong
   * @throws RequestException the same
   */
  protected void check() {}

  /** Adds options that are not fields. */
  public void addOptions() {}

  /**
   * Executes the command.
   *
   * @return whether it succeeded completely; if not, standard error has the reason
   */
  protected abstract boolean run() throws InterruptedException;

  @Override
  public final Integer call() throws InterruptedException {
    if (session().job() == null) {
      LogLines.use(false); // a line for each message
    }
    try {
      check();
      return run() ? ExitCode.OK : ExitCode.FAILED;
    } finally {
      session().store().close();
    }
  }
}
