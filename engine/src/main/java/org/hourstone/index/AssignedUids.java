package org.hourstone.index;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.hourstone.codec.Schema;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowFilter;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * The UIDs that were assigned since the index became complete, in the index table: one that the UID
 * table has and this has not shows that the index is older than the data, such as a backup of
 * another night.
 *
 * <p>A UID is noted here before it gets a name, by every process that knows of the index. Of each
 * kind only those after a base count: the kind's counter when the index became complete. Series of
 * UIDs that all existed at the time of the backup don't show; nor do random UIDs, which are not
 * counted.
 *
 * <p>Earlier versions enter series, but note no UIDs. A UID counts as noted if the index has a
 * series with it that was entered within {@link #ENTERED_MILLIS} of its naming: an older index
 * would not have it. Series that were entered later don't count, since they may have been entered
 * after the index was restored.
 */
final class AssignedUids {
  /** How many of the numbers that were assigned last are compared. */
  static final int COMPARED = 64;

  /** An entry is put before the first row of a series, right after its UIDs were named. */
  static final long ENTERED_MILLIS = 5_000;

  private static final byte[] COUNTER_ROW = {0};

  /** Their qualifiers in the UID table. */
  private static final List<String> KINDS = List.of("metrics", "tagk", "tagv");

  private final KeyValueStore store;
  private final IndexTable table;
  private final Family ids;
  private final Family names;
  private final Schema schema;

  /**
   * @param ids the family that leads from names to UIDs, with the counters
   * @param names the family that leads from UIDs to names
   */
  AssignedUids(KeyValueStore store, IndexTable table, Family ids, Family names, Schema schema) {
    this.store = store;
    this.table = table;
    this.ids = ids;
    this.names = names;
    this.schema = schema;
  }

  /** Whether puts to this family give names to UIDs. */
  boolean areNamedIn(Family family) {
    return family.equals(names);
  }

  /** The index table's row for a UID that gets a name by this cell; null if the cell is another. */
  static byte @Nullable [] row(byte[] uid, byte[] qualifier) {
    int kind = KINDS.indexOf(new String(qualifier, ISO_8859_1));
    return kind < 0 ? null : IndexTable.uidRow(kind, uid);
  }

  /** The counter of each kind now. */
  List<Long> counters() {
    Row row = store.get(ids, COUNTER_ROW, Columns.all());
    List<Long> counters = new ArrayList<>();
    for (String kind : KINDS) {
      byte[] value = row.find(kind.getBytes(ISO_8859_1));
      counters.add(value == null || value.length != Long.BYTES ? 0 : UidNumber.of(value));
    }
    return counters;
  }

  /** A UID that has a name and is not noted. */
  private record Unknown(int kind, byte[] uid, String name, long namedAt) {
    /** Whether an entry was put when the UID was named. */
    boolean isOf(long enteredAt) {
      return enteredAt >= namedAt - ENTERED_MILLIS && enteredAt <= namedAt + ENTERED_MILLIS;
    }

    String text() {
      return KINDS.get(kind) + " '" + name + "'";
    }
  }

  /**
   * A UID that has a name and is not noted, as text; null if there is none. A kind without a base,
   * as in an index of an earlier version, gets one.
   */
  @Nullable String unknown() {
    List<Long> counters = counters();
    List<Unknown> unknown = new ArrayList<>();
    for (int kind = 0; kind < KINDS.size(); kind++) {
      Long base = table.uidBase(kind);
      if (base == null) {
        begin(kind, counters.get(kind));
      } else {
        unknown.addAll(unknown(kind, base, counters.get(kind)));
      }
    }
    if (unknown.isEmpty()) {
      return null;
    }
    List<Unknown> older = notEntered(unknown);
    if (!older.isEmpty()) {
      return older.get(0).text();
    }
    unlessReadOnly(
        () ->
            table.putUids(
                unknown.stream().map(each -> IndexTable.uidRow(each.kind(), each.uid())).toList()));
    return null;
  }

  /** Those of which the index has no series that was entered when they were named. */
  private List<Unknown> notEntered(List<Unknown> unknown) {
    List<Unknown> left = new ArrayList<>(unknown);
    table.forEachEntry(
        RowFilter.any(),
        (tsuid, enteredAt) -> {
          left.removeIf(each -> each.isOf(enteredAt) && has(tsuid, each));
          return !left.isEmpty();
        });
    return left;
  }

  private boolean has(byte[] tsuid, Unknown sought) {
    byte[] uid = sought.uid();
    if (sought.kind() == 0) {
      return Arrays.equals(tsuid, 0, uid.length, uid, 0, uid.length);
    }
    int first = schema.metricWidth() + (sought.kind() == 1 ? 0 : schema.tagkWidth());
    for (int at = first; at + uid.length <= tsuid.length; at += schema.tagPairWidth()) {
      if (Arrays.equals(tsuid, at, at + uid.length, uid, 0, uid.length)) {
        return true;
      }
    }
    return false;
  }

  private void begin(int kind, long counter) {
    unlessReadOnly(() -> table.raiseUidBase(kind, counter));
  }

  /** If the store is read-only, the next process that writes does it. */
  private static void unlessReadOnly(Runnable change) {
    try {
      change.run();
    } catch (StoreException e) {
      if (e.outcome() != Outcome.REJECTED) {
        throw e;
      }
    }
  }

  private List<Unknown> unknown(int kind, long base, long counter) {
    int width =
        switch (kind) {
          case 0 -> schema.metricWidth();
          case 1 -> schema.tagkWidth();
          default -> schema.tagvWidth();
        };
    List<byte[]> uids = new ArrayList<>();
    for (long n = Math.max(base, counter - COMPARED) + 1; n <= counter; n++) {
      uids.add(UidNumber.bytes(n, width));
    }
    if (uids.isEmpty()) {
      return List.of();
    }
    byte[] qualifier = KINDS.get(kind).getBytes(ISO_8859_1);
    // The names first: what has one was noted before.
    List<Row> named = new ArrayList<>(store.get(names, uids, Columns.exactly(qualifier)));
    named.removeIf(Row::isEmpty);
    List<Boolean> noted =
        table.exist(named.stream().map(row -> IndexTable.uidRow(kind, row.key())).toList());
    List<Unknown> unknown = new ArrayList<>();
    for (int i = named.size() - 1; i >= 0; i--) {
      if (!noted.get(i)) {
        Row row = named.get(i);
        String name = new String(row.value(0), ISO_8859_1);
        unknown.add(new Unknown(kind, row.key(), name, row.writeTime(0)));
      }
    }
    return unknown;
  }

  /** The index has become complete: it has the series of all UIDs up to these counters. */
  void completed(List<Long> counters) {
    for (int kind = 0; kind < KINDS.size(); kind++) {
      table.raiseUidBase(kind, counters.get(kind));
    }
  }
}
