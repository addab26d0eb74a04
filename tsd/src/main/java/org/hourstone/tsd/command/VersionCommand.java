package org.hourstone.tsd.command;

import org.hourstone.tsd.session.SessionCommand;
import org.hourstone.tsd.session.Version;
import picocli.CommandLine.Command;

/** {@code version}. */
@Command(
    name = "version",
    description = "Shows the version.",
    footer = {"  hourstone version"})
public final class VersionCommand extends SessionCommand {
  @Override
  protected boolean run() {
    for (String line : new Version().getVersion()) {
      out().line(line);
    }
    return true;
  }
}
