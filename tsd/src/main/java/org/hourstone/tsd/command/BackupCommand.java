package org.hourstone.tsd.command;

import java.nio.file.Path;
import org.hourstone.Settings;
import org.hourstone.health.DiskReserve;
import org.hourstone.kv.Backups;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.StoreException;
import org.hourstone.tsd.session.CommandException;
import org.hourstone.tsd.session.JobClient;
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
      "A daemon that has the store open makes the backup itself, if DIR is one that its setting"
          + " hourstone.backup.directory allows. With --server, DIR is one of that daemon's"
          + " machine; if it is relative, below the directory of this setting."
    },
    footer = {
      "  hourstone backup /backups/hourstone --keep 14",
      "  hourstone --server https://db1:4242 backup daily --keep 14",
      "  hourstone backup list /backups/hourstone",
      "  hourstone backup verify /backups/hourstone",
      "  hourstone restore /backups/hourstone --to rocksdb:/var/lib/hourstone"
    })
public final class BackupCommand extends SessionCommand {
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
    int generations = keep == null ? 0 : keep;
    String server = session().global().server();
    if (server != null) {
      return new JobClient(session(), server).backup(directory, generations);
    }
    session().store().checkExists();
    try (KeyValueStore store = session().store().openStore();
        DiskReserve disk =
            DiskReserve.of(store, session().settings().options().get(Settings.DISK_RESERVE))) {
      Backups backups =
          store
              .extension(Backups.class)
              .map(disk::respectedBy)
              .orElseThrow(
                  () ->
                      new CommandException(
                          session().settings().storeUri()
                              + " has no backups of this kind; see docs/backup.md"));
      show(backups.create(directory, generations));
      return true;
    } catch (StoreException e) {
      if (!JobClient.isInUse(e)) {
        throw e;
      }
      return JobClient.ofStore(session(), e)
          .backup(directory.toAbsolutePath().normalize(), generations);
    }
  }

  @Override
  public boolean takesServer() {
    return true;
  }

  private void show(Backups.Backup made) {
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
    if (!made.others().isEmpty()) {
      out().line("left alone, as they are no whole backups: " + String.join(", ", made.others()));
    }
  }
}
