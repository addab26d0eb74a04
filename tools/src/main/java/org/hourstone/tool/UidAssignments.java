package org.hourstone.tool;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.hourstone.internal.Backoff;
import org.hourstone.internal.CellEditor;
import org.hourstone.kv.Bytes;
import org.hourstone.tool.CopyFamily.Holds;
import org.hourstone.uid.UidKind;
import org.jspecify.annotations.Nullable;

/**
 * Assigns the source's names and UIDs in the target, while other clients may assign UIDs in both
 * stores. An entry is put only if absent, and counters are only raised. Thread-safe.
 */
final class UidAssignments {
  private final CopyFamily names;
  private final CopyFamily uids;
  private final CellEditor source;
  private final CellEditor target;

  UidAssignments(CopyTables tables, Backoff backoff) {
    this.names = tables.names();
    this.uids = tables.ids();
    this.source = new CellEditor(tables.from(), backoff);
    this.target = new CellEditor(tables.to(), backoff);
  }

  /**
   * Puts an entry.
   *
   * @throws CopyException if another client has put a different entry first, or the UID of a name
   *     has another name in the target
   */
  void claim(CopyFamily family, byte[] row, byte[] qualifier, byte[] value) {
    if (family.holds() == Holds.UIDS && value.length > 0) {
      checkName(value, qualifier, row);
    }
    if (target.change(family.to(), row, qualifier, null, value)) {
      return;
    }
    byte[] present = target.read(family.to(), row, qualifier);
    if (!Arrays.equals(present, value)) {
      throw new CopyException(
          contradiction(family, row, qualifier, value, present == null ? new byte[0] : present)
              + ", where it was assigned in the meantime");
    }
  }

  /**
   * Fails if a UID has another name in the target. Otherwise two names would share the UID, and the
   * rows of both would be read under one of them. If the UID also has the other name in the source,
   * this is an inconsistency of the source, which is copied unchanged.
   */
  private void checkName(byte[] uid, byte[] qualifier, byte[] name) {
    byte[] there = target.read(names.to(), uid, qualifier);
    if (there == null || Arrays.equals(there, name)) {
      return;
    }
    byte[] here = source.read(names.from(), uid, qualifier);
    if (!Arrays.equals(there, here)) {
      throw new CopyException(contradiction(names, uid, qualifier, name, there));
    }
  }

  /**
   * Ensures that the target's counters are not less than the source's, so that no UID of the source
   * is assigned to another name in the target.
   */
  void raiseCounters() {
    for (UidKind kind : UidKind.values()) {
      byte[] counter = sourceCounter(kind);
      if (counter != null) {
        raise(kind, counter);
      }
    }
  }

  private void raise(UidKind kind, byte[] counter) {
    byte[] row = UidLayout.counterRow();
    byte[] qualifier = UidLayout.qualifier(kind);
    while (true) {
      byte[] present = target.read(uids.to(), row, qualifier);
      if (present != null && number(kind, "target", present) >= number(kind, "source", counter)) {
        return;
      }
      if (target.change(uids.to(), row, qualifier, present, counter)) {
        return;
      }
    }
  }

  /** The errors of the target's counters, one text each. */
  List<String> countersBehind() {
    List<String> behind = new ArrayList<>();
    for (UidKind kind : UidKind.values()) {
      byte[] counter = sourceCounter(kind);
      byte[] present = target.read(uids.to(), UidLayout.counterRow(), UidLayout.qualifier(kind));
      long last = present == null ? 0 : number(kind, "target", present);
      if (counter != null && last < number(kind, "source", counter)) {
        behind.add(
            "the counter of "
                + kind.qualifier()
                + " is "
                + number(kind, "source", counter)
                + " in the source and "
                + last
                + " in the target");
      }
    }
    return behind;
  }

  private byte @Nullable [] sourceCounter(UidKind kind) {
    return source.read(uids.from(), UidLayout.counterRow(), UidLayout.qualifier(kind));
  }

  private static long number(UidKind kind, String where, byte[] counter) {
    if (counter.length != Long.BYTES) {
      throw new CopyException(
          "the counter of "
              + kind.qualifier()
              + " in the "
              + where
              + " has "
              + counter.length
              + " bytes instead of 8");
    }
    return ByteBuffer.wrap(counter).getLong();
  }

  /** The text for an entry that differs between source and target. */
  static String contradiction(
      CopyFamily family, byte[] row, byte[] qualifier, byte[] source, byte[] target) {
    String kind = UidLayout.text(qualifier);
    return family.holds() == Holds.UIDS
        ? kind
            + " "
            + UidLayout.text(row)
            + " is "
            + new Bytes(source)
            + " in the source and "
            + new Bytes(target)
            + " in the target"
        : kind
            + " "
            + HexFormat.of().formatHex(row)
            + " is "
            + UidLayout.text(source)
            + " in the source and "
            + UidLayout.text(target)
            + " in the target";
  }
}
