package org.hourstone.tsd.command;

import org.hourstone.tsd.session.SessionCommand;
import org.hourstone.tsd.session.UsageException;
import picocli.CommandLine.Command;

/** {@code config}. */
@Command(
    name = "config",
    description = "Checks files of settings.",
    subcommands = ConfigCheckCommand.class,
    footer = {"  hourstone config check /etc/opentsdb/opentsdb.conf"})
public final class ConfigCommand extends SessionCommand {
  @Override
  protected boolean run() {
    throw new UsageException("no command given");
  }
}
