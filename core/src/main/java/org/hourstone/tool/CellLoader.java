package org.hourstone.tool;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.kv.SchemaMode;
import org.hourstone.kv.StoreException;
import org.hourstone.write.DatedCells;

/**
 * Puts cells that stand in lines of JSON, as {@code cells} writes them, into a store as they are.
 * Of a cell that comes twice the last one stays. Not thread-safe.
 *
 * <p>Where a deletion may hide what is put after it, what was put is read back. A cell that is
 * hidden by a deletion is put with the time of now; one that is behind a later one stays there.
 */
public final class CellLoader {
  private static final int BATCH_BYTES = 1 << 20;
  private static final int CELL_OVERHEAD = 100;

  private final KeyValueStore store;
  private final SchemaMode mode;
  private final Set<Family> passedOver;
  private final Map<Family, FamilySpec> known = new TreeMap<>();
  private final Map<Family, Map<Bytes, Map<Bytes, Cell>>> batch = new TreeMap<>();
  private int batchBytes;
  private long stored;
  private long redated;
  private long behind;
  private long waiting;

  /** Is told how it goes. */
  public interface Listener {
    /** All cells up to this line are stored. */
    void stored(long lineNumber);
  }

  /** As the other constructor, passing over nothing. */
  public CellLoader(KeyValueStore store, Collection<FamilySpec> families, SchemaMode mode) {
    this(store, families, Set.of(), mode);
  }

  /**
   * Makes sure the store has the families a database needs.
   *
   * @param passedOver families whose lines are read but not loaded
   * @param mode whether those that are missing, and others that lines name, are created
   */
  public CellLoader(
      KeyValueStore store,
      Collection<FamilySpec> families,
      Set<Family> passedOver,
      SchemaMode mode) {
    this.store = store;
    this.passedOver = Set.copyOf(passedOver);
    this.mode = mode;
    families.forEach(family -> known.put(family.family(), family));
    store.ensure(families, mode);
  }

  /** Whether a store has no cell in any family. */
  public static boolean isEmpty(KeyValueStore store) {
    for (Family family : store.families()) {
      try (RowCursor rows = store.scan(family, Scan.all().limit(1).rowsPerFetch(1))) {
        if (rows.next() != null) {
          return false;
        }
      }
    }
    return true;
  }

  /**
   * Loads lines; blank ones are passed over. What was loaded before a failure stays.
   *
   * @param lines in UTF-8
   * @throws IllegalArgumentException if a line is not a cell, beginning with its number
   * @throws org.hourstone.kv.StoreException if the store fails
   */
  public void load(InputStream lines, Listener listener) throws IOException {
    BufferedReader reader =
        new BufferedReader(new InputStreamReader(lines, StandardCharsets.UTF_8));
    long number = 0;
    for (String line = reader.readLine(); line != null; line = reader.readLine()) {
      number++;
      if (line.isBlank()) {
        continue;
      }
      add(line, number, listener);
      if (batchBytes >= BATCH_BYTES) {
        write(number, listener);
      }
    }
    write(number, listener);
  }

  private void add(String line, long number, Listener listener) {
    CellLine cell;
    try {
      cell = CellLine.parse(line);
      if (passedOver.contains(cell.family())) {
        return;
      }
      ensure(cell.family());
    } catch (IllegalArgumentException e) {
      write(number - 1, listener);
      throw new IllegalArgumentException(number + ": " + e.getMessage(), e);
    }
    Bytes row = new Bytes(cell.row());
    Cell put = cell.cell();
    batch
        .computeIfAbsent(cell.family(), family -> new LinkedHashMap<>())
        .computeIfAbsent(row, any -> new TreeMap<>())
        .put(new Bytes(put.qualifier()), put);
    batchBytes += CELL_OVERHEAD + put.qualifier().length + put.value().length + cell.row().length;
    waiting++;
  }

  private void ensure(Family family) {
    if (!known.containsKey(family)) {
      FamilySpec spec = new FamilySpec(family, false);
      store.ensure(List.of(spec), mode);
      known.put(family, spec);
    }
  }

  private void write(long upToLine, Listener listener) {
    if (waiting == 0) {
      return;
    }
    batch.forEach(
        (family, rows) -> {
          List<RowMutation> mutations = new ArrayList<>(rows.size());
          rows.forEach(
              (row, cells) ->
                  mutations.add(
                      new RowMutation(
                          row.array(), cells.values().stream().map(Cell::put).toList())));
          store.mutate(family, mutations);
          readBack(family, rows);
        });
    batch.clear();
    batchBytes = 0;
    stored += waiting;
    waiting = 0;
    listener.stored(upToLine);
  }

  private void readBack(Family family, Map<Bytes, Map<Bytes, Cell>> rows) {
    DatedCells dated = new DatedCells(store, family);
    if (!dated.mayHide()) {
      return;
    }
    List<byte[]> keys = rows.keySet().stream().map(Bytes::array).toList();
    for (Row row : store.get(family, keys, Columns.all())) {
      for (Cell put : rows.getOrDefault(new Bytes(row.key()), Map.of()).values()) {
        int at = row.indexOf(put.qualifier());
        if (at < 0) {
          putNow(dated, family, row.key(), put);
        } else if (row.writeTime(at) > put.writeTime() && isGiven(put)) {
          behind += Arrays.equals(row.value(at), put.value()) ? 0 : 1;
        }
      }
    }
  }

  private void putNow(DatedCells dated, Family family, byte[] row, Cell put) {
    if (!dated.putNow(row, new Cell(put.qualifier(), put.value()))) {
      HexFormat hex = HexFormat.of();
      throw new StoreException(
          StoreException.Outcome.NOT_APPLIED,
          "cell "
              + hex.formatHex(put.qualifier())
              + " of row "
              + hex.formatHex(row)
              + " of "
              + family
              + " can't be read: a deletion dated in the future hides it, or somebody has put"
              + " another");
    }
    redated += isGiven(put) ? 1 : 0;
  }

  private static boolean isGiven(Cell put) {
    return put.writeTime() != Cell.STORE_TIME;
  }

  /** How many of them have the time of now, since a deletion hid them with their own. */
  public long redated() {
    return redated;
  }

  /** How many of them can't be read, since there is a later one in their place. */
  public long behind() {
    return behind;
  }

  /** How many cells have been stored. */
  public long stored() {
    return stored;
  }
}
