package org.hourstone.tool;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueReader;
import org.hourstone.kv.Row;
import org.hourstone.kv.Scan;
import org.hourstone.table.TableListener;
import org.hourstone.table.TableRange;
import org.hourstone.table.TableRun;
import org.hourstone.uid.UidKind;

/**
 * Reads all entries of the UID table, and looks up the reverse entry of each. Entries are read in
 * batches, so that valid entries don't stay in memory.
 */
final class UidEntries {
  private static final int BATCH = 1000;

  /** Receives unknown columns. */
  interface UnknownColumns {
    void found(Family family, byte[] row, byte[] qualifier);
  }

  private record Entry(UidKind kind, byte[] name, byte[] uid) {}

  private final KeyValueReader store;
  private final UidLayout layout;
  private final TableListener listener;
  private final UnknownColumns unknown;
  private final Map<UidKind, UidSuspects> suspects = UidSuspects.none();
  private long names;
  private long uids;

  UidEntries(
      KeyValueReader store, UidLayout layout, TableListener listener, UnknownColumns unknown) {
    this.store = store;
    this.layout = layout;
    this.listener = listener;
    this.unknown = unknown;
  }

  /** Reads the table; may be called once. */
  Map<UidKind, UidSuspects> read() {
    List<TableRange> ranges =
        Stream.of(layout.forward(), layout.reverse())
            .map(family -> new TableRange(family, Scan.all(), 0, TableRange.ALL))
            .toList();
    TableRun run = new TableRun(store, ranges, 1, listener);
    run.run(
        range -> {
          if (range.family().equals(layout.forward())) {
            read(run, range, this::addName, this::checkNames);
          } else {
            read(run, range, this::addUid, this::checkUids);
          }
        });
    return suspects;
  }

  long names() {
    return names;
  }

  long uids() {
    return uids;
  }

  private interface Cells {
    void add(UidKind kind, byte[] row, byte[] value, List<Entry> batch);
  }

  private interface Check {
    void check(List<Entry> batch);
  }

  private void read(TableRun run, TableRange range, Cells cells, Check check) {
    List<Entry> batch = new ArrayList<>();
    run.read(
        range,
        range.rest(),
        row -> {
          add(range.family(), row, cells, batch);
          if (batch.size() >= BATCH) {
            check.check(batch);
            batch.clear();
          }
        });
    check.check(batch);
  }

  private void add(Family family, Row row, Cells cells, List<Entry> batch) {
    boolean counters = family.equals(layout.forward()) && UidLayout.isCounterRow(row.key());
    for (int i = 0; i < row.size(); i++) {
      UidKind kind = UidLayout.kindOf(row.qualifier(i));
      if (kind == null) {
        if (!UidLayout.isKnown(row.qualifier(i))) {
          unknown.found(family, row.key(), row.qualifier(i));
        }
      } else if (!counters) {
        cells.add(kind, row.key(), row.value(i), batch);
      }
    }
  }

  private void addName(UidKind kind, byte[] name, byte[] uid, List<Entry> batch) {
    names++;
    if (uid.length != layout.width(kind)) {
      of(kind).malformed(layout.forward(), name, uid);
      return;
    }
    of(kind).wellFormed(new BigInteger(1, uid).longValue());
    batch.add(new Entry(kind, name, uid));
  }

  private void addUid(UidKind kind, byte[] uid, byte[] name, List<Entry> batch) {
    uids++;
    if (uid.length != layout.width(kind)) {
      of(kind).malformed(layout.reverse(), uid, name);
      return;
    }
    of(kind).wellFormed(new BigInteger(1, uid).longValue());
    if (UidLayout.isName(name)) {
      batch.add(new Entry(kind, name, uid));
    } else {
      of(kind).orphans.add(new Bytes(uid));
    }
  }

  private void checkNames(List<Entry> batch) {
    Map<Bytes, Row> rows =
        rows(layout.reverse(), batch.stream().map(entry -> new Bytes(entry.uid())).toList());
    for (Entry entry : batch) {
      if (!leads(rows, entry.uid(), entry.kind(), entry.name())) {
        of(entry.kind())
            .namesOfUid
            .computeIfAbsent(new Bytes(entry.uid()), uid -> new TreeSet<>())
            .add(new Bytes(entry.name()));
      }
    }
  }

  private void checkUids(List<Entry> batch) {
    Map<Bytes, Row> rows =
        rows(layout.forward(), batch.stream().map(entry -> new Bytes(entry.name())).toList());
    for (Entry entry : batch) {
      if (!leads(rows, entry.name(), entry.kind(), entry.uid())) {
        of(entry.kind()).orphans.add(new Bytes(entry.uid()));
      }
    }
  }

  private Map<Bytes, Row> rows(Family family, List<Bytes> keys) {
    List<byte[]> wanted = keys.stream().distinct().map(Bytes::array).toList();
    Map<Bytes, Row> rows = new HashMap<>();
    if (!wanted.isEmpty()) {
      for (Row row : store.get(family, wanted, UidLayout.entries())) {
        rows.put(new Bytes(row.key()), row);
      }
    }
    return rows;
  }

  private static boolean leads(Map<Bytes, Row> rows, byte[] from, UidKind kind, byte[] to) {
    Row row = rows.get(new Bytes(from));
    return row != null && Arrays.equals(row.find(UidLayout.qualifier(kind)), to);
  }

  private UidSuspects of(UidKind kind) {
    UidSuspects of = suspects.get(kind);
    if (of == null) {
      throw new AssertionError(kind);
    }
    return of;
  }
}
