package org.hourstone.tsd;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code version}. */
@Command(
    name = "version",
    description = "Shows the version.",
    footer = {"  hourstone version"})
final class VersionCommand implements Callable<Integer> {
  private final Session session;

  VersionCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    for (String line : new Version().getVersion()) {
      session.out().line(line);
    }
    return ExitCode.OK;
  }
}
