package org.hourstone.tsd.command;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.hourstone.Settings;
import org.hourstone.TsdbOptions;
import org.hourstone.error.RequestException;
import org.hourstone.health.DiskReserve;
import org.hourstone.health.DiskReserveException;
import org.hourstone.index.SeriesIndex;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.SchemaMode;
import org.hourstone.kv.Trait;
import org.hourstone.tool.CellLoader;
import org.hourstone.tsd.session.CommandException;
import org.hourstone.tsd.session.Problem;
import org.hourstone.tsd.session.Progress;
import org.hourstone.tsd.session.SessionCommand;
import org.hourstone.tsd.terminal.Plurals;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code load-cells}. */
@Command(
    name = "load-cells",
    description = {
      "Puts cells verbatim into an empty store: the lines of JSON that the command cells writes,"
          + " of all tables, with their write times if the lines have them (ts).",
      "",
      "A line that is not a cell ends the command; the cells before it stay. Lines of the series"
          + " index are skipped: loaded rows are entered into the store's own index."
    },
    footer = {
      "  hourstone cells --write-time | hourstone --store rocksdb:./copy load-cells -",
      "  hourstone load-cells --into-nonempty saved-by-fsck.jsonl"
    })
public final class LoadCellsCommand extends SessionCommand {
  @Option(
      names = "--into-nonempty",
      description =
          "Loads into a store that has cells already. A loaded cell replaces the present one"
              + " unless that was written later.")
  boolean intoNonempty;

  @Option(
      names = "--now",
      description =
          "Ignores the write times in the lines (ts): cells are written now, and replace those"
              + " present.")
  boolean now;

  @Option(
      names = "--create-tables",
      description =
          "Creates tables that lines name but the settings don't. Without it such a line is an"
              + " error.")
  boolean createTables;

  @Option(
      names = "--progress",
      negatable = true,
      description = "Shows a progress bar. Default: only on a terminal.")
  @Nullable Boolean progress;

  @Parameters(
      paramLabel = "FILE",
      description = "A file of lines, decompressed if its name ends in .gz; - for standard input.")
  String file = ImportInput.STANDARD_INPUT;

  @Override
  public String whenInUse() {
    return "stop it first; points without their cells can be sent to a daemon by import";
  }

  @Override
  protected boolean run() {
    try (ImportInput input = ImportInput.open(file, session().streams().in());
        KeyValueStore store = session().store().openStore()) {
      if (!intoNonempty && !CellLoader.isEmpty(store)) {
        throw new CommandException(
            "the store has cells already; --into-nonempty loads into it anyway");
      }
      boolean creates = createTables || !store.traits().contains(Trait.MANAGED_TABLES);
      SchemaMode mode = creates ? SchemaMode.CREATE : SchemaMode.VERIFY;
      TsdbOptions options = session().settings().options();
      SeriesIndex index = options.seriesIndex(store, mode);
      List<FamilySpec> families =
          new ArrayList<>(creates ? options.families() : options.tables().families());
      if (index.isOn()) {
        families.add(new FamilySpec(options.indexFamily(), false));
      }
      store.ensure(families, mode);
      try (DiskReserve disk = DiskReserve.of(store, options.get(Settings.DISK_RESERVE))) {
        disk.start();
        CellLoader loader =
            new CellLoader(
                options.marking(index.guarded()),
                Set.of(options.indexFamily(), options.rollupStateFamily()),
                createTables,
                now,
                disk::admit);
        allowJournal(loader, store, options.journalFamily());
        load(
            loader,
            input,
            new ImportProgress(session(), Progress.of(session(), progress), true, null, null));
        report(loader);
      }
    }
    return true;
  }

  /**
   * Allows journal records only for a store of one process whose journal is empty: the records
   * belong together, and only such a store replays them.
   */
  private static void allowJournal(CellLoader loader, KeyValueStore store, Family journal) {
    String instead = "; the output of cells without --stored has its points in their rows";
    if (store.traits().contains(Trait.SHARED)) {
      loader.refuse(journal, "a record of a journal, which this store does not have" + instead);
    } else if (!CellLoader.isEmpty(store, journal)) {
      loader.refuse(
          journal,
          "a record of another journal than the store's own, which has been used" + instead);
    } else {
      loader.createOnDemand(journal);
    }
  }

  private void report(CellLoader loader) {
    out().line(Plurals.count(loader.stored(), "cell") + " stored");
    if (loader.behind() > 0) {
      out().line(Plurals.count(loader.behind(), "cell") + " hidden by later cells of the store");
    }
  }

  /** The text that says how to continue after a line. */
  private String place(long line) {
    return line == 0
        ? ""
        : file
            + ": stored up to line "
            + line
            + "; to continue: "
            + Continuation.of(
                file, line, 0, session().global().words(), "load-cells --into-nonempty", List.of());
  }

  private void load(CellLoader loader, ImportInput input, ImportProgress shown) {
    shown.start(input);
    session().ending().whenStopped(() -> place(shown.storedUpTo()));
    try {
      loader.load(input.lines(), line -> shown.stored(file, line));
    } catch (DiskReserveException e) {
      String place = place(shown.storedUpTo());
      throw new CommandException(e.getMessage() + (place.isEmpty() ? "" : "; " + place), e);
    } catch (RequestException e) {
      throw new CommandException(file + ":" + e.getMessage(), e);
    } catch (IOException e) {
      throw new CommandException(file + ": " + Problem.reason(e), e);
    } finally {
      shown.close();
    }
  }
}
