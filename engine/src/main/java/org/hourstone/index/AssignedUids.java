package org.hourstone.index;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.ArrayList;
import java.util.List;
import org.hourstone.codec.Schema;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
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
 */
final class AssignedUids {
  /** How many of the numbers that were assigned last are compared. */
  static final int COMPARED = 64;

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

  /**
   * A UID that has a name and is not noted, as text; null if there is none. A kind without a base,
   * as in an index of an earlier version, gets one.
   */
  @Nullable String unknown() {
    List<Long> counters = counters();
    for (int kind = 0; kind < KINDS.size(); kind++) {
      Long base = table.uidBase(kind);
      if (base == null) {
        begin(kind, counters.get(kind));
      } else {
        String unknown = unknown(kind, base, counters.get(kind));
        if (unknown != null) {
          return unknown;
        }
      }
    }
    return null;
  }

  private void begin(int kind, long counter) {
    try {
      table.raiseUidBase(kind, counter);
    } catch (StoreException e) {
      if (e.outcome() != Outcome.REJECTED) {
        throw e;
      }
      // The store is read-only: the next process that writes sets it.
    }
  }

  private @Nullable String unknown(int kind, long base, long counter) {
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
      return null;
    }
    byte[] qualifier = KINDS.get(kind).getBytes(ISO_8859_1);
    // The names first: what has one was noted before.
    List<Row> named = new ArrayList<>(store.get(names, uids, Columns.exactly(qualifier)));
    named.removeIf(Row::isEmpty);
    List<Boolean> noted =
        table.exist(named.stream().map(row -> IndexTable.uidRow(kind, row.key())).toList());
    for (int i = named.size() - 1; i >= 0; i--) {
      if (!noted.get(i)) {
        return KINDS.get(kind) + " '" + new String(named.get(i).value(0), ISO_8859_1) + "'";
      }
    }
    return null;
  }

  /** The index has become complete: it has the series of all UIDs up to these counters. */
  void completed(List<Long> counters) {
    for (int kind = 0; kind < KINDS.size(); kind++) {
      table.raiseUidBase(kind, counters.get(kind));
    }
  }
}
