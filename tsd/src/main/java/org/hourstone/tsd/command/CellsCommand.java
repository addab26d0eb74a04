package org.hourstone.tsd.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueReader;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Trait;
import org.hourstone.tsd.session.CommandException;
import org.hourstone.tsd.session.LostRows;
import org.hourstone.tsd.session.SessionCommand;
import org.hourstone.tsd.view.CellsView;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code cells}. */
@Command(
    name = "cells",
    description = {
      "Shows every cell in its stored form as a line of JSON: table, row, family, qualifier"
          + " and value, the row, qualifier and value in hex.",
      "",
      "They are ordered by table, row, family and qualifier. The series index, which can be"
          + " rebuilt from the other tables, is shown only if it is named.",
      "",
      "Points of open hours, which only the head's journal has, are shown in their rows, as the"
          + " cells that would be written now, and the journal itself only if it is named."
    },
    footer = {
      "  hourstone cells",
      "  hourstone cells data | head",
      "  hourstone cells uid --write-time",
      "  hourstone cells --stored"
    })
public final class CellsCommand extends SessionCommand {
  @Option(names = "--write-time", description = "Adds ts, the time the cell was written, in ms.")
  boolean writeTime;

  @Option(
      names = "--stored",
      description =
          "Shows the points of open hours only in the records of the journal, where they are"
              + " stored.")
  boolean stored;

  @Option(names = "--skip-unreadable", description = LostRows.DESCRIPTION)
  boolean skipUnreadable;

  @Parameters(
      arity = "0..1",
      paramLabel = "TABLE",
      description = "Only this table: its name, or data, uid, meta, tree, index or journal.")
  @Nullable String table;

  @Override
  protected boolean run() {
    TsdbOptions options = session().settings().options();
    String index = options.indexFamily().table();
    String journal = options.journalFamily().table();
    Map<String, String> byRole = new TreeMap<>(options.tables().byRole());
    byRole.put("index", index);
    byRole.put("journal", journal);
    LostRows lost = skipUnreadable ? session().store().skipUnreadable() : null;
    try (KeyValueStore store = session().store().openStoreToRead()) {
      Map<String, List<Family>> tables = new TreeMap<>();
      for (Family family : store.families()) {
        tables.computeIfAbsent(family.table(), name -> new ArrayList<>()).add(family);
      }
      if (table != null) {
        tables.keySet().retainAll(Set.of(named(table, tables, byRole)));
      }
      boolean opens =
          !stored
              && !store.traits().contains(Trait.SHARED)
              && tables.containsKey(options.tables().points().table());
      KeyValueReader reader = opens ? withJournal(options, store) : store;
      if (table == null) {
        tables.remove(index);
        tables.remove(options.recordFamily().table());
        // What a writer to a shared store has in its journal is its own, and not for other stores.
        if (opens || (!stored && store.traits().contains(Trait.SHARED))) {
          tables.remove(journal);
        }
      }
      CellsView view = new CellsView(out(), writeTime);
      for (List<Family> families : tables.values()) {
        try (TableScan scan = new TableScan(reader, families)) {
          scan.forEach(view::show);
        }
      }
      view.finish();
    }
    return lost == null || lost.isEmpty();
  }

  private static KeyValueReader withJournal(TsdbOptions options, KeyValueStore store) {
    try {
      return Tsdb.withJournal(store, options);
    } catch (IllegalArgumentException | CorruptDataException e) {
      throw new CommandException(
          "the points of the journal can't be shown in their rows: "
              + e.getMessage()
              + "; --stored shows the tables as they are stored");
    }
  }

  /**
   * The table's name: the given one if such a table exists, otherwise that of the table with this
   * role.
   */
  private static String named(
      String wanted, Map<String, List<Family>> tables, Map<String, String> byRole) {
    String name = tables.containsKey(wanted) ? wanted : byRole.getOrDefault(wanted, wanted);
    if (!tables.containsKey(name)) {
      throw new CommandException(
          "no table '"
              + wanted
              + "'; there "
              + (tables.isEmpty() ? "is none" : "are " + String.join(", ", tables.keySet())));
    }
    return name;
  }
}
