package org.hourstone.tsd.command;

import org.hourstone.Tsdb;
import org.hourstone.tsd.session.SessionCommand;
import org.hourstone.uid.UidKind;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code uid rename}. */
@Command(
    name = "rename",
    description = {
      "Gives a UID another name. Its points stay, and are found under the new name.",
      "",
      "Daemons on the same store may know the old name until their caches are dropped."
    },
    footer = {"  hourstone uid rename metrics sys.cpu.usr sys.cpu.user"})
final class UidRenameCommand extends SessionCommand {
  @Parameters(index = "0", paramLabel = "KIND", description = "metrics, tagk or tagv.")
  String kind = "";

  @Parameters(index = "1", paramLabel = "OLD", description = "The name it has.")
  String oldName = "";

  @Parameters(index = "2", paramLabel = "NEW", description = "A name that has no UID yet.")
  String newName = "";

  @Override
  public boolean isJob() {
    return true;
  }

  @Override
  protected void check() {
    UidKind of = UidKind.parse(kind);
    session().settings().options().nameRules().check("name of " + of.qualifier(), newName);
  }

  @Override
  protected boolean run() {
    UidKind of = UidKind.parse(kind);
    try (Tsdb db = session().store().openExisting()) {
      db.uids().rename(of, oldName, newName);
      out().line(UidAssignment.line(of, newName, db.uids().uid(of, newName)));
    }
    return true;
  }
}
