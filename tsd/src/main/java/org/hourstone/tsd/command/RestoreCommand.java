package org.hourstone.tsd.command;

import java.nio.file.Path;
import java.util.List;
import org.hourstone.kv.rocksdb.BackupDirectory;
import org.hourstone.tsd.session.GivenSettings;
import org.hourstone.tsd.session.ProgramName;
import org.hourstone.tsd.session.RocksDbPlace;
import org.hourstone.tsd.session.SessionCommand;
import org.hourstone.tsd.session.UsageException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code restore}: makes a store of a backup. */
@Command(
    name = "restore",
    description = {
      "Copies a backup to the place of a RocksDB store, where there must be nothing yet, and"
          + " compares it with its checksums. If a file is missing or corrupt, nothing is restored;"
          + " then the exit status is 1."
    },
    footer = {
      "  hourstone restore /backups/hourstone --to rocksdb:/var/lib/hourstone",
      "  hourstone restore /backups/hourstone --to rocksdb:/tmp/was --generation 12"
    })
public final class RestoreCommand extends SessionCommand {
  @Parameters(paramLabel = "DIR", description = "Directory of a store's backups.")
  Path directory = Path.of("");

  @Option(
      names = "--to",
      paramLabel = "STORE",
      required = true,
      description = "URI of the store: rocksdb:DIRECTORY, which is empty or does not exist.")
  String to = "";

  @Option(
      names = "--generation",
      paramLabel = "G",
      description = "Number of the backup; by default the newest one.")
  @Nullable Long generation;

  @Override
  protected boolean run() {
    Path place = RocksDbPlace.directory(GivenSettings.parse(to));
    if (place == null) {
      throw new UsageException("--to " + to + ": a backup is restored to rocksdb:DIRECTORY");
    }
    BackupDirectory backups = BackupDirectory.at(directory);
    List<Long> numbers = backups.numbers();
    if (numbers.isEmpty()) {
      throw BackupListCommand.none(directory, backups);
    }
    long number = generation == null ? numbers.get(numbers.size() - 1) : generation;
    out().line(BackupListCommand.line(backups.restore(number, place)) + ", restored to " + place);
    String foreign = RocksDbPlace.foreign(place);
    if (foreign != null) {
      session().report(foreign);
    }
    out().line("to check it: " + ProgramName.get() + " --store " + to + " fsck --full-scan");
    return true;
  }
}
