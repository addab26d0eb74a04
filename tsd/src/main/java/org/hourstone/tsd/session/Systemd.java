package org.hourstone.tsd.session;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The systemd that has started the daemon, if one has, as that of a unit with {@code Type=notify}:
 * it waits until the daemon serves. Told by the program {@code systemd-notify}, since Java 17 has
 * no sockets of the kind it listens on. For one thread.
 */
public final class Systemd {
  private static final System.Logger LOG = System.getLogger("org.hourstone.tsd");
  private static final String SOCKET = "NOTIFY_SOCKET";
  private static final String PROGRAM = "systemd-notify";
  private static final int PATIENCE_SECONDS = 30;

  private final Map<String, String> environment;

  /**
   * @param environment of the process
   */
  public Systemd(Map<String, String> environment) {
    this.environment = environment;
  }

  /** Whether it waits for this process, so that SIGHUP is no terminal that is closed. */
  public boolean isPresent() {
    return environment.containsKey(SOCKET);
  }

  /**
   * Says that the daemon serves, if it waits for that. A failure is logged: the daemon serves
   * nevertheless.
   *
   * @param status what it shows to people
   */
  public void ready(String status) throws InterruptedException {
    if (!isPresent()) {
      return;
    }
    try {
      Process program =
          new ProcessBuilder(PROGRAM, "--ready", "--status=" + status)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      if (!program.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        program.destroyForcibly();
        failed("does not end");
      } else if (program.exitValue() != 0) {
        failed("ended with status " + program.exitValue());
      }
    } catch (IOException e) {
      failed(Problem.reason(e));
    }
  }

  private static void failed(String why) {
    LOG.log(
        Level.WARNING,
        "systemd is not told that the daemon serves, and goes on waiting: {0} {1}",
        PROGRAM,
        why);
  }
}
