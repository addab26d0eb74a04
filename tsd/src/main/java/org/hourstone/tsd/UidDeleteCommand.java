package org.hourstone.tsd;

import java.util.concurrent.Callable;
import org.hourstone.Tsdb;
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
final class UidDeleteCommand implements Callable<Integer> {
  private final Session session;

  @Parameters(index = "0", paramLabel = "KIND", description = "metrics, tagk or tagv.")
  String kind = "";

  @Parameters(index = "1", paramLabel = "NAME", description = "The name.")
  String name = "";

  UidDeleteCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    UidKind of = UidKind.parse(kind);
    try (Tsdb db = session.openExisting()) {
      byte[] uid = db.uids().uid(of, name);
      db.uids().delete(of, name);
      session.out().line(UidAssignment.line(of, name, uid) + " deleted");
    }
    return ExitCode.OK;
  }
}
