package org.hourstone.api;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.Scan;

/** The points and names in a store. */
public final class StoredCells {
  private static final HexFormat HEX = HexFormat.of();

  /** The tables whose cells depend on the moment, or on a random identity, are left out. */
  private static final Set<String> OTHERS = Set.of("tsdb-index", "tsdb-store");

  private StoredCells() {}

  public static List<String> of(KeyValueStore store) {
    List<String> cells = new ArrayList<>();
    for (Family family : store.families()) {
      if (!OTHERS.contains(family.table())) {
        try (RowCursor rows = store.scan(family, Scan.all())) {
          for (Row row = rows.next(); row != null; row = rows.next()) {
            for (int i = 0; i < row.size(); i++) {
              cells.add(
                  family
                      + HEX.formatHex(row.key())
                      + " "
                      + HEX.formatHex(row.qualifier(i))
                      + " "
                      + HEX.formatHex(row.value(i)));
            }
          }
        }
      }
    }
    return cells;
  }
}
