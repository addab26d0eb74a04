package org.hourstone.tool;

import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hourstone.codec.Schema;
import org.hourstone.internal.Backoff;
import org.hourstone.internal.CellEditor;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.tool.UidFinding.Repair;
import org.hourstone.uid.UidKind;

/**
 * Checks that names and UIDs lead to each other, and repairs entries that don't. May run alongside
 * writers, and may be repeated after an interruption. See {@code docs/format/uid.md#fsck}.
 *
 * <p>Reads the UID table once and looks up the counterpart of each entry, in batches. Valid entries
 * use no memory; each other entry uses a few hundred bytes. All data rows are read only to repair
 * tag UIDs that may be in use.
 *
 * <p>For one thread, once.
 */
public final class UidFsck {
  private static final HexFormat HEX = HexFormat.of().withUpperCase();

  private final KeyValueStore store;
  private final UidLayout layout;
  private final List<Family> data;
  private final UidFsckOptions options;
  private final CellEditor cells;
  private final UidFsckListener listener;
  private final FindingSink sink;

  /**
   * @param forward the family of names to UIDs, {@code tsdb-uid:id}
   * @param reverse the family of UIDs to names, {@code tsdb-uid:name}
   * @param data the families of points, including those of rollups
   */
  public UidFsck(
      KeyValueStore store,
      Family forward,
      Family reverse,
      List<Family> data,
      Schema schema,
      UidFsckOptions options,
      UidFsckListener listener) {
    this.store = store;
    this.layout = new UidLayout(forward, reverse, schema);
    this.data = List.copyOf(data);
    this.options = options;
    this.cells = new CellEditor(store, Backoff.exponential());
    this.listener = listener;
    this.sink = new FindingSink(options.fix(), listener);
  }

  /**
   * Checks everything.
   *
   * @throws org.hourstone.kv.StoreException if the store fails; repairs made before the failure
   *     stay
   */
  public UidFsckReport run() {
    UidEntries entries = new UidEntries(store, layout, listener, this::unknownColumn);
    Map<UidKind, UidSuspects> suspects = entries.read();
    Map<UidKind, UidKindCheck> checks = new EnumMap<>(UidKind.class);
    suspects.forEach(
        (kind, of) -> {
          if (of.widthsDiffer()) {
            widthsDiffer(kind, of);
          } else {
            checks.put(kind, new UidKindCheck(cells, layout, kind, of, sink));
          }
        });
    checks.values().forEach(UidKindCheck::checkWidths);
    checks.values().forEach(UidKindCheck::checkNames);
    UidSuspects metrics = suspects.get(UidKind.METRIC);
    Map<UidKind, Set<Bytes>> used =
        used(checks, metrics == null ? 0 : Math.max(0, metrics.highest));
    checks.forEach((kind, check) -> check.checkOrphans(used.getOrDefault(kind, Set.of())));
    checks.forEach(
        (kind, check) -> {
          if (kind != UidKind.METRIC || !options.randomMetrics()) {
            check.checkCounter();
          }
        });
    return new UidFsckReport(
        entries.names(),
        entries.uids(),
        sink.found(),
        sink.repaired(),
        sink.lostRaces(),
        sink.removedLostRaces());
  }

  private Map<UidKind, Set<Bytes>> used(Map<UidKind, UidKindCheck> checks, long highestMetric) {
    if (!options.fix()) {
      return Map.of(); // affects repairs only
    }
    Map<UidKind, Set<Bytes>> doubtful = new EnumMap<>(UidKind.class);
    checks.forEach((kind, check) -> doubtful.put(kind, check.doubtful()));
    return new UidUse(store, data, layout.schema(), listener).among(doubtful, highestMetric);
  }

  private void widthsDiffer(UidKind kind, UidSuspects suspects) {
    sink.unrepaired(
        UidProblem.WIDTHS_DIFFER,
        suspects.wrong()
            + " entries of "
            + kind.qualifier()
            + " have UIDs of other than "
            + layout.width(kind)
            + " bytes: the configured width is not that of the data",
        options.fix() ? Repair.LEFT : Repair.NONE,
        "nothing of " + kind.qualifier() + " is repaired");
  }

  private void unknownColumn(Family family, byte[] row, byte[] qualifier) {
    String text =
        "unknown column "
            + HEX.formatHex(qualifier)
            + " in row "
            + HEX.formatHex(row)
            + " of "
            + family;
    if (options.deleteUnknown()) {
      cells.delete(family, row, qualifier);
      sink.repaired(UidProblem.UNKNOWN_COLUMN, text, "deleted");
    } else {
      sink.unrepaired(
          UidProblem.UNKNOWN_COLUMN,
          text,
          options.fix() ? Repair.LEFT : Repair.NONE,
          "only delete_unknown deletes it");
    }
  }
}
