package org.hourstone.tsd.command;

import java.util.ArrayList;
import java.util.List;
import org.hourstone.tsd.session.SessionCommand;
import org.hourstone.uid.UidKind;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code uid assign}. */
@Command(
    name = "assign",
    description = {
      "Assigns UIDs to names.",
      "",
      "A name that already has a UID is reported, and the exit status is 1; the others get theirs."
    },
    footer = {
      "  hourstone uid assign metrics sys.cpu.user sys.cpu.system",
      "  hourstone uid assign tagk host"
    })
final class UidAssignCommand extends SessionCommand {
  @Parameters(index = "0", paramLabel = "KIND", description = "metrics, tagk or tagv.")
  String kind = "";

  @Parameters(index = "1..*", arity = "1..*", paramLabel = "NAME", description = "New names.")
  List<String> names = new ArrayList<>();

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
    return UidAssignment.assign(session(), UidKind.parse(kind), names);
  }
}
