package org.hourstone.tsd;

import picocli.CommandLine.Command;

/** {@code version}. */
@Command(
    name = "version",
    description = "Shows the version.",
    footer = {"  hourstone version"})
final class VersionCommand extends SessionCommand {
  @Override
  boolean run() {
    for (String line : new Version().getVersion()) {
      out().line(line);
    }
    return true;
  }
}
