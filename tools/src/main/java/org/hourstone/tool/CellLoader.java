package org.hourstone.tool;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.hourstone.error.RequestException;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Checks;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Limits;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.kv.SchemaMode;
import org.hourstone.write.LineSource;
import org.jspecify.annotations.Nullable;

/**
 * Puts cells from lines of JSON, as {@code cells} writes them, into a store. A cell with a write
 * time doesn't replace a cell with a later one; cells not stored for this reason are counted. A
 * cell without a write time replaces the existing one. Not thread-safe.
 */
public final class CellLoader {
  /** The number of hex digits of the largest cell, plus space for the field names. */
  static final int MAX_LINE_BYTES = 2 * Limits.CELL + (1 << 16);

  private static final int BATCH_BYTES = 1 << 20;
  private static final int CELL_OVERHEAD = 100;

  private final KeyValueStore store;
  private final boolean createsTables;
  private final boolean now;
  private final Runnable admission;
  private final Set<Family> skipped;
  private final Set<Family> known;
  private final Set<Family> createdOnDemand = new HashSet<>();
  private final Map<Family, String> refused = new HashMap<>();
  private final Map<Family, Map<Bytes, Map<Bytes, Cell>>> batch = new TreeMap<>();
  private int batchBytes;
  private long stored;
  private long behind;
  private long waiting;

  /** Receives the progress. */
  public interface Listener {
    /** All cells up to this line are stored. */
    void stored(long lineNumber);
  }

  /**
   * A loader into families that the store has.
   *
   * @param skipped families whose lines are read but not loaded
   * @param createsTables whether missing families that lines name are created; otherwise they are
   *     an error
   * @param now whether write times in lines are ignored, so that cells replace existing ones
   * @param admission throws if nothing new is put into the store now
   */
  public CellLoader(
      KeyValueStore store,
      Set<Family> skipped,
      boolean createsTables,
      boolean now,
      Runnable admission) {
    this.admission = admission;
    this.store = store;
    this.skipped = Set.copyOf(skipped);
    this.createsTables = createsTables;
    this.now = now;
    this.known = new HashSet<>(store.families());
  }

  /** Allows a missing family to be created when a line names it. */
  public void createOnDemand(Family family) {
    createdOnDemand.add(family);
  }

  /**
   * Makes the lines of a family errors.
   *
   * @param reason the error message
   */
  public void refuse(Family family, String reason) {
    refused.put(family, reason);
  }

  /** Whether a store has no cell in any family. */
  public static boolean isEmpty(KeyValueStore store) {
    return store.families().stream().allMatch(family -> isEmpty(store, family));
  }

  /** Whether a store has no cell in a family, or the family does not exist. */
  public static boolean isEmpty(KeyValueStore store, Family family) {
    if (!store.families().contains(family)) {
      return true;
    }
    try (RowCursor rows = store.scan(family, Scan.all().limit(1).rowsPerFetch(1))) {
      return rows.next() == null;
    }
  }

  /**
   * Loads lines; blank lines are skipped. Cells loaded before a failure stay stored.
   *
   * @param lines in UTF-8
   * @throws RequestException if a line is not a cell; the message begins with the line number
   * @throws org.hourstone.kv.StoreException if the store fails, or what admits cells does
   */
  public void load(InputStream lines, Listener listener) throws IOException {
    LineSource source = new LineSource(lines, MAX_LINE_BYTES);
    for (String line = source.next(); line != null; line = source.next()) {
      try {
        add(source.problem(), line);
      } catch (RequestException | IllegalArgumentException e) {
        write(source.lineNumber() - 1, listener);
        throw new RequestException(source.lineNumber() + ": " + e.getMessage(), e);
      }
      if (batchBytes >= BATCH_BYTES) {
        write(source.lineNumber(), listener);
      }
    }
    write(source.lineNumber(), listener);
  }

  private void add(@Nullable String problem, String line) {
    if (problem != null) {
      throw new RequestException(problem);
    }
    if (line.isBlank()) {
      return;
    }
    CellLine parsed = CellLine.parse(line);
    if (skipped.contains(parsed.family())) {
      return;
    }
    ensure(parsed.family());
    Cell given = parsed.cell();
    Cell cell = now ? new Cell(given.qualifier(), given.value()) : given;
    Checks.batch(List.of(new RowMutation(parsed.row(), cell.put())));
    batch
        .computeIfAbsent(parsed.family(), family -> new LinkedHashMap<>())
        .computeIfAbsent(new Bytes(parsed.row()), row -> new TreeMap<>())
        .merge(new Bytes(cell.qualifier()), cell, CellLoader::newer);
    batchBytes +=
        CELL_OVERHEAD + cell.qualifier().length + cell.value().length + parsed.row().length;
    waiting++;
  }

  /** If a cell occurs twice, the newer one is kept, as if the cells were put one by one. */
  private static Cell newer(Cell first, Cell second) {
    boolean stays = isDated(second) && (!isDated(first) || first.writeTime() > second.writeTime());
    return stays ? first : second;
  }

  private static boolean isDated(Cell cell) {
    return cell.writeTime() != Cell.STORE_TIME;
  }

  private void ensure(Family family) {
    String refusal = refused.get(family);
    if (refusal != null) {
      throw new RequestException(refusal);
    }
    if (known.contains(family)) {
      return;
    }
    if (!createsTables && !createdOnDemand.contains(family)) {
      throw new RequestException(
          "the store has no table '"
              + family.table()
              + "' with a family '"
              + family.name()
              + "'; --create-tables creates what is missing");
    }
    store.ensure(List.of(new FamilySpec(family, false)), SchemaMode.CREATE);
    known.add(family);
  }

  private void write(long upToLine, Listener listener) {
    if (waiting == 0) {
      return;
    }
    admission.run();
    batch.forEach(this::write);
    batch.clear();
    batchBytes = 0;
    stored += waiting;
    waiting = 0;
    listener.stored(upToLine);
  }

  private void write(Family family, Map<Bytes, Map<Bytes, Cell>> rows) {
    List<RowMutation> mutations = new ArrayList<>(rows.size());
    rows.forEach(
        (row, cells) ->
            mutations.add(
                new RowMutation(row.array(), cells.values().stream().map(Cell::put).toList())));
    store.mutate(family, mutations);
    List<byte[]> keys = rows.keySet().stream().map(Bytes::array).toList();
    for (Row row : store.get(family, keys, Columns.all())) {
      for (Cell put : rows.getOrDefault(new Bytes(row.key()), Map.of()).values()) {
        int at = row.indexOf(put.qualifier());
        boolean isRead = at >= 0 && Arrays.equals(row.value(at), put.value());
        behind += isDated(put) && !isRead ? 1 : 0;
      }
    }
  }

  /** The number of cells that were not stored because later ones exist. */
  public long behind() {
    return behind;
  }

  /** The number of stored cells. */
  public long stored() {
    return stored;
  }
}
