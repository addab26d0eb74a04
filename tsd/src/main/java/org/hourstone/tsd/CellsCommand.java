package org.hourstone.tsd;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
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
          + " rebuilt from the other tables, is shown only if it is named."
    },
    footer = {
      "  hourstone cells",
      "  hourstone cells data | head",
      "  hourstone cells uid --write-time"
    })
final class CellsCommand extends SessionCommand {
  @Option(names = "--write-time", description = "Adds ts, the time the cell was written, in ms.")
  boolean writeTime;

  @Parameters(
      arity = "0..1",
      paramLabel = "TABLE",
      description = "Only this table: its name, or data, uid, meta, tree or index.")
  @Nullable String table;

  @Override
  boolean run() {
    Map<String, String> byRole = new TreeMap<>(session().options().tables().byRole());
    byRole.put("index", session().options().indexFamily().table());
    try (KeyValueStore store = session().openStoreToRead()) {
      Map<String, List<Family>> tables = new TreeMap<>();
      for (Family family : store.families()) {
        tables.computeIfAbsent(family.table(), name -> new ArrayList<>()).add(family);
      }
      if (table == null) {
        tables.remove(session().options().indexFamily().table());
      } else {
        tables.keySet().retainAll(List.of(named(table, tables, byRole)));
      }
      CellsView view = new CellsView(out(), writeTime);
      for (List<Family> families : tables.values()) {
        try (TableScan scan = new TableScan(store, families)) {
          scan.forEach(view::show);
        }
      }
      view.finish();
    }
    return true;
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
