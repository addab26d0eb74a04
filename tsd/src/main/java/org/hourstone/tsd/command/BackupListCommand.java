package org.hourstone.tsd.command;

import java.nio.file.Path;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.rocksdb.BackupDirectory;
import org.hourstone.tsd.session.SessionCommand;
import org.hourstone.tsd.terminal.Plurals;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code backup list}. */
@Command(
    name = "list",
    description =
        "Lists the backups in a directory, the oldest first: number, time, files and bytes.",
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
    return whole;
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
