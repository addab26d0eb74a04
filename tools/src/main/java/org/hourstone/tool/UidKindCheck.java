package org.hourstone.tool;

import static org.hourstone.tool.UidLayout.text;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.hourstone.internal.CellEditor;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Family;
import org.hourstone.kv.Row;
import org.hourstone.uid.UidKind;
import org.jspecify.annotations.Nullable;

/**
 * Checks the suspects of one kind again, and repairs them if requested. Each entry is read again
 * before it is changed, and is changed only if it is still the same, since other clients may write
 * concurrently.
 *
 * <p>Writers use the forward entries, so these are taken as correct. After the repair, every UID
 * that data rows use has a name by which the rows can be read.
 */
final class UidKindCheck {
  private static final HexFormat HEX = HexFormat.of().withUpperCase();

  /** The prefix of names that a repair has created. */
  private static final String MADE = "fsck.";

  /** For how long a process may try to publish a number that it has taken. */
  private static final long LOST_RACE_MILLIS = 60_000;

  private final CellEditor cells;
  private final UidLayout layout;
  private final UidKind kind;
  private final UidSuspects suspects;
  private final FindingSink sink;
  private final byte[] qualifier;

  /** UIDs that were already reported under their names, so that they are not reported twice. */
  private final Set<Bytes> known = new TreeSet<>();

  UidKindCheck(
      CellEditor cells, UidLayout layout, UidKind kind, UidSuspects suspects, FindingSink sink) {
    this.cells = cells;
    this.layout = layout;
    this.kind = kind;
    this.suspects = suspects;
    this.sink = sink;
    this.qualifier = UidLayout.qualifier(kind);
  }

  /** Checks for entries with a width that differs from the settings. */
  void checkWidths() {
    for (UidSuspects.Malformed cell : suspects.malformed) {
      byte[] value = cells.read(cell.family(), cell.row(), qualifier);
      if (value == null || !Arrays.equals(value, cell.value())) {
        continue;
      }
      boolean forward = cell.family().equals(layout.forward());
      byte[] uid = forward ? value : cell.row();
      sink.found(
          UidProblem.WRONG_WIDTH,
          forward
              ? entry(cell.row(), uid) + ", a UID of " + bytes(uid)
              : reverseEntry(uid, value) + ", a UID of " + bytes(uid),
          () -> change(cell.family(), cell.row(), value, null) ? "entry removed" : null);
    }
  }

  private String bytes(byte[] uid) {
    return uid.length + " bytes instead of " + layout.width(kind);
  }

  /** Checks for UIDs that do not lead back to the names that lead to them. */
  void checkNames() {
    suspects.namesOfUid.forEach((uid, names) -> checkNamesOf(uid.array(), names));
  }

  private void checkNamesOf(byte[] uid, Set<Bytes> suspectNames) {
    byte[] reverse = reverse(uid);
    Set<Bytes> names = new TreeSet<>(suspectNames);
    if (reverse != null && UidLayout.isName(reverse)) {
      names.add(new Bytes(reverse));
    }
    List<Row> entries = new ArrayList<>();
    for (Bytes name : names) {
      Row entry = cells.row(layout.forward(), name.array(), qualifier);
      if (Arrays.equals(entry.find(qualifier), uid)) {
        entries.add(entry);
      }
    }
    if (entries.size() > 1) {
      known.add(new Bytes(uid));
      shared(uid, reverse, entries);
    } else if (entries.size() == 1) {
      single(uid, reverse, entries.get(0).key());
    }
  }

  private void single(byte[] uid, byte @Nullable [] reverse, byte[] name) {
    if (Arrays.equals(reverse, name)) {
      return;
    }
    known.add(new Bytes(uid));
    String other = reverse != null && UidLayout.isName(reverse) ? text(reverse) : null;
    sink.found(
        other == null ? UidProblem.NO_REVERSE : UidProblem.WRONG_REVERSE,
        entry(name, uid) + ", which leads to " + (other == null ? "no name" : other),
        () ->
            change(layout.reverse(), uid, reverse, name)
                ? HEX.formatHex(uid) + " leads to " + text(name)
                : null);
  }

  private void shared(byte[] uid, byte @Nullable [] reverse, List<Row> entries) {
    String all = entries.stream().map(entry -> text(entry.key())).collect(Collectors.joining(", "));
    boolean leadsBack = entries.stream().anyMatch(entry -> Arrays.equals(entry.key(), reverse));
    byte[] kept = reverse == null || !leadsBack ? entries.get(0).key() : reverse;
    sink.found(
        UidProblem.SHARED_UID,
        kind.qualifier()
            + " "
            + all
            + ": "
            + HEX.formatHex(uid)
            + " is the UID of each, and leads to "
            + (leadsBack ? text(kept) : "none of them"),
        () -> keepOne(uid, reverse, entries, kept));
  }

  /**
   * Completes or undoes a rename. The forward entries were read before the reverse entry is read
   * again here, and are removed only if they are unchanged: a rename in progress writes the entry
   * of its new name again after the reverse entry.
   */
  private @Nullable String keepOne(
      byte[] uid, byte @Nullable [] reverse, List<Row> entries, byte[] kept) {
    boolean leadsBack = Arrays.equals(reverse, kept);
    if (!Arrays.equals(reverse(uid), reverse)
        || (!leadsBack && !change(layout.reverse(), uid, reverse, kept))) {
      return null;
    }
    boolean all = true;
    for (Row entry : entries) {
      if (!Arrays.equals(entry.key(), kept)) {
        all &= cells.remove(layout.forward(), entry);
      }
    }
    return all ? "its name is " + text(kept) + ", the others have no UID" : null;
  }

  /** A name that no other UID has. */
  private byte[] free(String wanted, byte[] uid) {
    String name = wanted;
    for (int i = 2; ; i++) {
      byte[] bytes = UidLayout.bytes(name);
      byte[] taken = forward(bytes);
      if (taken == null || Arrays.equals(taken, uid)) {
        return bytes;
      }
      name = wanted + "." + i;
    }
  }

  /** Makes the UID and a name lead to each other; other names that lead to it are not changed. */
  private boolean rename(byte[] uid, byte @Nullable [] reverse, byte[] name) {
    return change(layout.reverse(), uid, reverse, name)
        && change(layout.forward(), name, null, uid);
  }

  /** UIDs whose repair depends on whether rows use them. */
  Set<Bytes> doubtful() {
    Set<Bytes> doubtful = new TreeSet<>();
    Map<Bytes, List<Bytes>> claims = new TreeMap<>();
    for (Bytes uid : suspects.orphans) {
      byte[] name = reverse(uid.array());
      if (name == null || known.contains(uid)) {
        continue;
      }
      byte[] owner = UidLayout.isName(name) ? forward(name) : null;
      if (UidLayout.isName(name) && owner == null) {
        claims.computeIfAbsent(new Bytes(name), n -> new ArrayList<>()).add(uid);
      } else if (!Arrays.equals(owner, uid.array())) {
        doubtful.add(uid);
      }
    }
    // Of several UIDs with the same name, those in use come first.
    claims.values().stream().filter(uids -> uids.size() > 1).forEach(doubtful::addAll);
    return doubtful;
  }

  /**
   * Checks for UIDs with a name that does not lead back.
   *
   * @param used the UIDs that data rows use
   */
  void checkOrphans(Set<Bytes> used) {
    List<Bytes> usedFirst = new ArrayList<>(suspects.orphans);
    usedFirst.removeIf(uid -> !used.contains(uid));
    suspects.orphans.stream().filter(uid -> !used.contains(uid)).forEach(usedFirst::add);
    for (Bytes uid : usedFirst) {
      checkOrphan(uid.array(), used.contains(uid));
    }
  }

  private void checkOrphan(byte[] uid, boolean used) {
    byte[] name = reverse(uid);
    if (name == null || known.contains(new Bytes(uid))) {
      return;
    }
    if (!UidLayout.isName(name)) {
      sink.found(
          UidProblem.BAD_NAME,
          kind.qualifier() + " " + HEX.formatHex(uid) + ": the name is empty or 00",
          () -> used ? nameAgain(uid, name, MADE + HEX.formatHex(uid)) : remove(uid, name));
      return;
    }
    byte[] owner = forward(name);
    if (owner == null) {
      // Not deleted, since it may be in use or is just being assigned.
      sink.found(
          UidProblem.NO_FORWARD,
          reverseEntry(uid, name) + ", which has no UID",
          () ->
              change(layout.forward(), name, null, uid)
                  ? text(name) + " leads to " + HEX.formatHex(uid)
                  : null);
    } else if (!Arrays.equals(owner, uid)) {
      String made = MADE + text(name) + "." + HEX.formatHex(uid);
      boolean lost = !used && isOfLostRace(uid, name);
      sink.found(
          lost ? UidProblem.LOST_RACE : UidProblem.SECOND_UID,
          reverseEntry(uid, name)
              + ", whose UID is "
              + HEX.formatHex(owner)
              + (lost ? ", the number of a lost race" : ""),
          () -> used ? nameAgain(uid, name, made) : remove(uid, name));
    }
  }

  /**
   * Whether the UID was never the name's. Who assigns one reads that the name has none before the
   * UID gets its name, and publishes it at once. A UID that the name had before it lost it, and got
   * another, is older.
   */
  private boolean isOfLostRace(byte[] uid, byte[] name) {
    Row reverse = cells.row(layout.reverse(), uid, qualifier);
    Row forward = cells.row(layout.forward(), name, qualifier);
    return !reverse.isEmpty()
        && !forward.isEmpty()
        && forward.writeTime(0) - reverse.writeTime(0) < LOST_RACE_MILLIS;
  }

  private @Nullable String nameAgain(byte[] uid, byte[] name, String wanted) {
    byte[] free = free(wanted, uid);
    return rename(uid, name, free) ? "rows use it; its name is " + text(free) : null;
  }

  private @Nullable String remove(byte[] uid, byte[] name) {
    if (!change(layout.reverse(), uid, name, null)) {
      return null;
    }
    if (UidLayout.isName(name) && Arrays.equals(forward(name), uid)) {
      // Another process has assigned it since.
      change(layout.reverse(), uid, null, name);
      return null;
    }
    cells.delete(layout.reverse(), uid, kind.metaQualifier());
    return "no row uses it; removed";
  }

  /** Checks the counter, after all entries have been read. */
  void checkCounter() {
    byte[] row = UidLayout.counterRow();
    byte[] counter = cells.read(layout.forward(), row, qualifier);
    long highest = Math.max(0, suspects.highest);
    if (counter != null && counter.length != Long.BYTES) {
      counter(
          UidProblem.COUNTER_MALFORMED, "has " + counter.length + " bytes instead of 8", counter);
      return;
    }
    long value = counter == null ? 0 : ByteBuffer.wrap(counter).getLong();
    if (value < highest) {
      counter(UidProblem.COUNTER_BEHIND, "is " + value + ", but UIDs go up to " + highest, counter);
    }
  }

  private void counter(UidProblem problem, String what, byte @Nullable [] seen) {
    long highest = Math.max(0, suspects.highest);
    byte[] right = ByteBuffer.allocate(Long.BYTES).putLong(highest).array();
    sink.found(
        problem,
        "the counter of " + kind.qualifier() + " " + what,
        () ->
            change(layout.forward(), UidLayout.counterRow(), seen, right)
                ? "it is " + highest
                : null);
  }

  /** The name's UID, or null; a UID of the wrong width counts as absent. */
  private byte @Nullable [] forward(byte[] name) {
    byte[] uid = cells.read(layout.forward(), name, qualifier);
    return uid == null || uid.length != layout.width(kind) ? null : uid;
  }

  private byte @Nullable [] reverse(byte[] uid) {
    return cells.read(layout.reverse(), uid, qualifier);
  }

  private boolean change(
      Family family, byte[] row, byte @Nullable [] seen, byte @Nullable [] update) {
    return cells.change(family, row, qualifier, seen, update);
  }

  private String entry(byte[] name, byte[] uid) {
    return kind.qualifier() + " " + text(name) + ": " + HEX.formatHex(uid);
  }

  private String reverseEntry(byte[] uid, byte[] name) {
    return kind.qualifier() + " " + HEX.formatHex(uid) + ": " + text(name);
  }
}
