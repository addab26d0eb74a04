package org.hourstone.tsd.command;

import org.hourstone.Tsdb;
import org.hourstone.tsd.session.SessionCommand;
import picocli.CommandLine.Command;

/** {@code flush}. */
@Command(
    name = "flush",
    description = {
      "Writes all points that are buffered, and those of hours in progress, to the data table, so"
          + " that the journal is empty. Nothing is lost without it."
    },
    footer = {"  hourstone --server http://db1:4242 flush"})
public final class FlushCommand extends SessionCommand {
  @Override
  public boolean isJob() {
    return true;
  }

  @Override
  protected boolean run() {
    try (Tsdb db = session().store().openExisting()) {
      db.flush();
    }
    return true;
  }
}
