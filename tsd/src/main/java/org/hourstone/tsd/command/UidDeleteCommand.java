package org.hourstone.tsd.command;

import org.hourstone.Tsdb;
import org.hourstone.tsd.session.SessionCommand;
import org.hourstone.uid.UidKind;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code uid delete}. */
@Command(
    name = "delete",
    description = {
      "Removes the UID of a name. Points stored with it stay, but can't be read by name any more."
    },
    footer = {"  hourstone uid delete tagv web01"})
final class UidDeleteCommand extends SessionCommand {
  @Parameters(index = "0", paramLabel = "KIND", description = "metrics, tagk or tagv.")
  String kind = "";

  @Parameters(index = "1", paramLabel = "NAME", description = "The name.")
  String name = "";

  @Override
  public boolean isJob() {
    return true;
  }

  @Override
  protected void check() {
    UidKind.parse(kind);
  }

  @Override
  protected boolean run() {
    UidKind of = UidKind.parse(kind);
    try (Tsdb db = session().store().openExisting()) {
      byte[] uid = db.uids().uid(of, name);
      db.uids().delete(of, name);
      out().line(UidAssignment.line(of, name, uid) + " deleted");
    }
    return true;
  }
}
