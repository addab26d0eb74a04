package org.hourstone.tsd.command;

import org.hourstone.Tsdb;
import org.hourstone.error.RequestException;
import org.hourstone.tree.TreeDefinition;
import org.hourstone.tsd.session.SessionCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code uid treepurge}. */
@Command(
    name = "treepurge",
    description = {
      "Deletes the contents of a tree: branches, leaves, collisions and series not matched.",
      "",
      "With true it deletes the tree's definition and its rules, too."
    },
    footer = {"  hourstone uid treepurge 1", "  hourstone uid treepurge 1 true"})
final class UidTreepurgeCommand extends SessionCommand {
  @Parameters(index = "0", paramLabel = "ID", description = "The tree, 1 to 65535.")
  int id;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "true",
      description = "Deletes the definition, too.")
  boolean definition;

  @Override
  public boolean isJob() {
    return true;
  }

  @Override
  protected void check() {
    if (id < 1 || id > TreeDefinition.MAX_ID) {
      throw new RequestException(
          "Invalid tree ID: " + id + " is not 1 to " + TreeDefinition.MAX_ID);
    }
  }

  @Override
  protected boolean run() {
    try (Tsdb db = session().store().openExisting()) {
      // A tree without a definition may still have branches, after an interrupted purge.
      boolean defined = db.trees().get(id).isPresent();
      db.trees().delete(id, definition);
      if (defined) {
        String more = definition ? ", with its definition and rules" : "";
        out().line("tree " + id + " purged" + more);
      } else {
        session().report("tree " + id + " is not defined; remains of an earlier purge are deleted");
      }
      return defined;
    }
  }
}
