package org.hourstone.uid;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Arrays;
import java.util.HexFormat;
import org.hourstone.error.RequestException;
import org.hourstone.internal.CellEditor;
import org.hourstone.kv.Family;
import org.hourstone.kv.Row;
import org.jspecify.annotations.Nullable;

/**
 * Renames and deletes names, while other processes assign, rename, delete and repair. Both are
 * sequences of steps that each change one row. If a process dies after any step, the stored state
 * is consistent, and calling the operation again completes it. The invariants:
 *
 * <ul>
 *   <li>a name never leads to two UIDs, and it is unassigned before it changes from one UID to
 *       another;
 *   <li>a UID that has names keeps at least one: a forward entry is removed only if the UID has
 *       another one or is being deleted;
 *   <li>a forward entry is removed only if it has not been written since it was read. Renaming
 *       writes the new name's entry again before it removes the old one, so that no other process
 *       removes the new one because of a stale read.
 * </ul>
 */
final class NameChanges {
  private final CellEditor cells;
  private final Family forward;
  private final Family reverse;

  NameChanges(CellEditor cells, Family forward, Family reverse) {
    this.cells = cells;
    this.forward = forward;
    this.reverse = reverse;
  }

  /**
   * A name's forward entry as it is stored now.
   *
   * @throws NoSuchNameException if it has none
   */
  Row entry(UidKind kind, String name) {
    Row entry = cells.row(forward, bytes(name), kind.qualifierBytes());
    if (entry.isEmpty() || UidReader.isOfCounters(name)) {
      throw new NoSuchNameException(kind, name);
    }
    return entry;
  }

  /**
   * Publishes the new name, makes the UID's reverse entry point to it, and removes the old name.
   * Until the last step both names lead to the UID.
   *
   * @param old the forward entry of the old name
   * @throws RequestException if the new name has another UID, or the UID has a third name
   */
  void rename(UidKind kind, Row old, String newName) {
    byte[] qualifier = kind.qualifierBytes();
    byte[] oldBytes = old.key();
    byte[] newBytes = bytes(newName);
    byte[] uid = old.value(0);
    if (Arrays.equals(oldBytes, newBytes)) {
      throw taken(kind, oldBytes, newBytes, uid);
    }
    byte[] expected = oldBytes;
    for (Row from = old; isOf(uid, from); from = cells.row(forward, oldBytes, qualifier)) {
      byte[] name = name(kind, uid, expected, newBytes);
      publish(kind, oldBytes, newBytes, uid);
      while (!cells.change(reverse, uid, qualifier, name, newBytes)) {
        name = name(kind, uid, expected, newBytes);
      }
      expected = newBytes; // else another process has renamed it back
      if (cells.change(forward, newBytes, qualifier, uid, uid) && cells.remove(forward, from)) {
        return;
      }
    }
    if (!isOf(uid, cells.row(forward, newBytes, qualifier))) {
      throw new NoSuchNameException(kind, text(oldBytes)); // another process has removed both
    }
  }

  private static boolean isOf(byte[] uid, Row entry) {
    return !entry.isEmpty() && Arrays.equals(uid, entry.value(0));
  }

  /** The name of a UID, unless it is a third name that also leads to the UID. */
  private byte @Nullable [] name(UidKind kind, byte[] uid, byte[] oldName, byte[] newName) {
    byte[] qualifier = kind.qualifierBytes();
    byte[] name = cells.read(reverse, uid, qualifier);
    if (name != null
        && name.length > 0
        && !Arrays.equals(name, oldName)
        && !Arrays.equals(name, newName)
        && Arrays.equals(uid, cells.read(forward, name, qualifier))) {
      throw new RequestException(
          "cannot rename "
              + kind.qualifier()
              + " to '"
              + text(newName)
              + "': its UID "
              + HexFormat.of().withUpperCase().formatHex(uid)
              + " has the name '"
              + text(name)
              + "', from another rename");
    }
    return name;
  }

  private void publish(UidKind kind, byte[] oldName, byte[] newName, byte[] uid) {
    byte[] holder = cells.setIfAbsent(forward, newName, kind.qualifierBytes(), uid).value();
    if (holder != null && !Arrays.equals(holder, uid)) {
      throw taken(kind, oldName, newName, holder);
    }
  }

  private static RequestException taken(
      UidKind kind, byte[] oldName, byte[] newName, byte[] holder) {
    return new RequestException(
        "cannot rename "
            + kind.qualifier()
            + " '"
            + text(oldName)
            + "' to '"
            + text(newName)
            + "': the new name has a UID already, "
            + HexFormat.of().withUpperCase().formatHex(holder));
  }

  /**
   * Removes the UID's entry and metadata, then the name's entry. The name is removed last, so that
   * the deletion can be repeated until nothing is left, and no other UID is assigned to the name
   * before that.
   *
   * @param entry the forward entry of the name
   */
  void delete(UidKind kind, Row entry) {
    byte[] qualifier = kind.qualifierBytes();
    byte[] name = entry.key();
    byte[] uid = entry.value(0);
    // If it leads to another UID now, the name was unassigned in between.
    for (Row from = entry; isOf(uid, from); from = cells.row(forward, name, qualifier)) {
      Row there = cells.row(reverse, uid, qualifier, kind.metaQualifier());
      byte[] leadsTo = there.find(qualifier);
      // If the UID leads to another name, it keeps that name: this one is left over from a rename.
      boolean own = leadsTo == null || Arrays.equals(leadsTo, name);
      if ((!own || there.isEmpty() || cells.remove(reverse, there))
          && cells.remove(forward, from)) {
        return;
      }
    }
  }

  private static byte[] bytes(String name) {
    return name.getBytes(ISO_8859_1);
  }

  private static String text(byte[] name) {
    return new String(name, ISO_8859_1);
  }
}
