package org.hourstone.tsd.command;

import java.nio.file.Path;
import java.util.List;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.rocksdb.BackupDirectory;
import org.hourstone.tsd.session.CommandException;
import org.hourstone.tsd.session.SessionCommand;
import org.hourstone.tsd.terminal.Plurals;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code backup list}. */
@Command(
    name = "list",
    description =
        "Lists the backups in a directory, the oldest first: number, time, files and bytes; then"
            + " what else is there, which no command changes.",
    footer = "  hourstone backup list /backups/hourstone")
public final class BackupListCommand extends SessionCommand {
  @Parameters(paramLabel = "DIR", description = "Directory of a store's backups.")
  Path directory = Path.of("");

  @Override
  protected boolean run() {
    BackupDirectory backups = BackupDirectory.at(directory);
    boolean whole = true;
    for (long number : backups.numbers()) {
      try {
        out().line(line(backups.generation(number)));
      } catch (StoreException e) {
        session().report(e);
        whole = false;
      }
    }
    for (String other : backups.others()) {
      out().line("not a backup, and left alone: " + other);
    }
    return whole;
  }

  /** The error that a directory has no backups. */
  static CommandException none(Path directory, BackupDirectory backups) {
    List<String> others = backups.others();
    return new CommandException(
        "no backups in "
            + directory
            + (others.isEmpty() ? "" : "; not a backup: " + String.join(", ", others)));
  }

  static String line(BackupDirectory.Generation backup) {
    return "backup "
        + backup.number()
        + " of "
        + backup.time()
        + ": "
        + Plurals.count(backup.files(), "file")
        + ", "
        + Plurals.count(backup.bytes(), "byte");
  }
}
