package org.hourstone.tsd.command;

import java.nio.file.Path;
import org.hourstone.kv.Backups;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.StoreException;
import org.hourstone.tsd.session.CommandException;
import org.hourstone.tsd.session.SessionCommand;
import org.hourstone.tsd.session.UsageException;
import org.hourstone.tsd.terminal.Plurals;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code backup}: adds a backup of the store to a directory, and has subcommands. */
@Command(
    name = "backup",
    subcommands = {BackupListCommand.class, BackupVerifyCommand.class},
    customSynopsis = {"hourstone backup DIR [--keep N]", "hourstone backup COMMAND …"},
    description = {
      "Backs up a RocksDB store: all of its data, that of hours which are still written to"
          + " included, as it was at one moment. Each backup in DIR is whole, and shares the files"
          + " that have not changed with the one before it.",
      "",
      "A daemon that has the store open makes the backup itself: POST /api/admin/backup."
    },
    footer = {
      "  hourstone backup /backups/hourstone --keep 14",
      "  hourstone backup list /backups/hourstone",
      "  hourstone backup verify /backups/hourstone",
      "  hourstone restore /backups/hourstone --to rocksdb:/var/lib/hourstone"
    })
public final class BackupCommand extends SessionCommand {
  private static final String IN_USE = "in use by another process";

  @Parameters(
      arity = "0..1",
      paramLabel = "DIR",
      description = "Directory of the store's backups; created if it does not exist.")
  @Nullable Path directory;

  @Option(
      names = "--keep",
      paramLabel = "N",
      description = "Once the backup is complete, removes all but the N newest ones.")
  @Nullable Integer keep;

  @Override
  protected boolean run() {
    if (directory == null) {
      throw new UsageException("no directory for the backup");
    }
    if (keep != null && keep < 1) {
      throw new UsageException("--keep " + keep + ": less than 1");
    }
    session().store().checkExists();
    try (KeyValueStore store = session().store().openStore()) {
      Backups backups =
          store
              .extension(Backups.class)
              .orElseThrow(
                  () ->
                      new CommandException(
                          session().settings().storeUri()
                              + " has no backups of this kind; see docs/backup.md"));
      Backups.Backup made = backups.create(directory, keep == null ? 0 : keep);
      out()
          .line(
              "backup "
                  + made.generation()
                  + " is complete: "
                  + Plurals.count(made.files(), "file")
                  + ", "
                  + Plurals.count(made.copied(), "byte")
                  + " copied, "
                  + Plurals.number(made.linked())
                  + " shared with the backup before it");
      return true;
    } catch (StoreException e) {
      String message = String.valueOf(e.getMessage());
      if (!message.contains(IN_USE)) {
        throw e;
      }
      session().report(e);
      session()
          .report(
              "a daemon makes the backup itself, in or below the directory that its setting"
                  + " hourstone.backup.directory names:");
      session().err().println(request(directory));
      return false;
    }
  }

  private static String request(Path directory) {
    return "curl -f -X POST http://localhost:4242/api/admin/backup -d '{\"directory\":\""
        + directory.toAbsolutePath()
        + "\"}'";
  }
}
