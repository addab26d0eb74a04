package org.hourstone.tool;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hourstone.codec.RowKey;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.KeyValueReader;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.Scan;
import org.hourstone.tool.CopyFamily.Holds;
import org.hourstone.uid.SeriesNames;
import org.hourstone.uid.UidKind;
import org.jspecify.annotations.Nullable;

/**
 * UIDs of the source that can't be adopted because their name has another UID in the target, or
 * they have another name there. Only the target is scanned, since absent entries contradict
 * nothing.
 */
final class UidContradictions {
  private static final int BATCH = 1000;
  private static final int SHOWN = 3;

  private final KeyValueReader from;

  /** The contradictions by the source's UID. */
  private final Map<UidKind, Map<Bytes, String>> found = new EnumMap<>(UidKind.class);

  private UidContradictions(KeyValueReader from) {
    this.from = from;
    for (UidKind kind : UidKind.values()) {
      found.put(kind, new HashMap<>());
    }
  }

  static UidContradictions find(CopyTables tables) {
    UidContradictions contradictions = new UidContradictions(tables.from());
    contradictions.read(tables.to(), tables.names());
    contradictions.read(tables.to(), tables.ids());
    return contradictions;
  }

  private void read(KeyValueReader to, CopyFamily family) {
    List<Row> batch = new ArrayList<>();
    try (RowCursor rows =
        to.scan(family.to(), Scan.all().columns(UidLayout.entries()).rowsPerFetch(BATCH))) {
      for (Row row = rows.next(); row != null; row = rows.next()) {
        if (family.holds() == Holds.NAMES || !UidLayout.isCounterRow(row.key())) {
          batch.add(row);
        }
        if (batch.size() == BATCH) {
          compare(family, batch);
          batch.clear();
        }
      }
    }
    if (!batch.isEmpty()) {
      compare(family, batch);
    }
  }

  private void compare(CopyFamily family, List<Row> targets) {
    List<Row> sources =
        from.get(family.from(), targets.stream().map(Row::key).toList(), UidLayout.entries());
    for (int i = 0; i < targets.size(); i++) {
      Row target = targets.get(i);
      for (int k = 0; k < target.size(); k++) {
        byte[] qualifier = target.qualifier(k);
        UidKind kind = UidLayout.kindOf(qualifier);
        byte[] source = sources.get(i).find(qualifier);
        if (kind != null && source != null && !Arrays.equals(source, target.value(k))) {
          byte[] uid = family.holds() == Holds.NAMES ? target.key() : source;
          of(kind)
              .put(
                  new Bytes(uid),
                  UidAssignments.contradiction(
                      family, target.key(), qualifier, source, target.value(k)));
        }
      }
    }
  }

  boolean isEmpty() {
    return found.values().stream().allMatch(Map::isEmpty);
  }

  /** The contradictions of a series' UIDs. */
  Set<String> of(RowKey keys, byte[] tsuid) {
    Set<String> texts = new LinkedHashSet<>();
    SeriesNames.forEachUid(
        keys,
        tsuid,
        (kind, uid) -> {
          String text = of(kind).get(new Bytes(uid));
          if (text != null) {
            texts.add(text);
          }
        });
    return texts;
  }

  /** All contradictions. */
  Set<String> all() {
    Set<String> texts = new LinkedHashSet<>();
    found.values().forEach(ofKind -> texts.addAll(ofKind.values()));
    return texts;
  }

  /** The exception that ends a copy because of these contradictions; null if there are none. */
  static @Nullable CopyException refusal(Set<String> texts) {
    if (texts.isEmpty()) {
      return null;
    }
    List<String> shown = texts.stream().sorted().limit(SHOWN).toList();
    int more = texts.size() - shown.size();
    return new CopyException(
        "nothing is copied, since UIDs contradict each other: "
            + String.join("; ", shown)
            + (more == 0 ? "" : "; and " + more + " more"));
  }

  private Map<Bytes, String> of(UidKind kind) {
    Map<Bytes, String> of = found.get(kind);
    if (of == null) {
      throw new AssertionError(kind);
    }
    return of;
  }
}
