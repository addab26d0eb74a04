package org.hourstone.tsd.command;

import java.nio.file.Path;
import java.util.List;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.rocksdb.BackupDirectory;
import org.hourstone.tsd.session.SessionCommand;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code backup verify}. */
@Command(
    name = "verify",
    description = {
      "Reads all files of backups and compares them with their checksums. Names each file that is"
          + " missing or corrupt; then the exit status is 1."
    },
    footer = {
      "  hourstone backup verify /backups/hourstone",
      "  hourstone backup verify /backups/hourstone --generation 12"
    })
public final class BackupVerifyCommand extends SessionCommand {
  @Parameters(paramLabel = "DIR", description = "Directory of a store's backups.")
  Path directory = Path.of("");

  @Option(
      names = "--generation",
      paramLabel = "G",
      description = "Number of the only backup to verify; by default all of them.")
  @Nullable Long generation;

  @Override
  protected boolean run() {
    BackupDirectory backups = BackupDirectory.at(directory);
    List<Long> numbers = backups.numbers();
    if (numbers.isEmpty()) {
      throw BackupListCommand.none(directory, backups);
    }
    boolean whole = true;
    for (long number : generation == null ? numbers : List.of(generation)) {
      try {
        List<String> problems = backups.verify(number);
        problems.forEach(session()::report);
        whole &= problems.isEmpty();
        if (problems.isEmpty()) {
          out().line(BackupListCommand.line(backups.generation(number)) + ", all correct");
        }
      } catch (StoreException e) {
        session().report(e);
        whole = false;
      }
    }
    return whole;
  }
}
