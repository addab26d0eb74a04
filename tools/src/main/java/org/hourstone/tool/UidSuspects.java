package org.hourstone.tool;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Family;
import org.hourstone.uid.UidKind;

/**
 * The entries of one kind that a scan found suspect and that must be checked again. Sound entries
 * are not kept.
 */
final class UidSuspects {
  /**
   * More cells of the wrong width than corruption can explain, so that the settings must be wrong.
   */
  private static final int MOST_WRONG = 10_000;

  /** A cell of the wrong width. */
  record Malformed(Family family, byte[] row, byte[] value) {}

  /** UIDs that do not lead back to these names. */
  final Map<Bytes, Set<Bytes>> namesOfUid = new TreeMap<>();

  /** UIDs with a name that does not lead back to them. */
  final Set<Bytes> orphans = new TreeSet<>();

  final List<Malformed> malformed = new ArrayList<>();
  private long wrong;
  private long right;

  /** The highest UID, as an unsigned number. */
  long highest;

  static Map<UidKind, UidSuspects> none() {
    Map<UidKind, UidSuspects> none = new EnumMap<>(UidKind.class);
    for (UidKind kind : UidKind.values()) {
      none.put(kind, new UidSuspects());
    }
    return none;
  }

  void malformed(Family family, byte[] row, byte[] value) {
    if (++wrong <= MOST_WRONG) {
      malformed.add(new Malformed(family, row, value));
    }
  }

  void wellFormed(long uid) {
    right++;
    if (Long.compareUnsigned(uid, highest) > 0) {
      highest = uid;
    }
  }

  long wrong() {
    return wrong;
  }

  /** Whether the settings must be wrong. */
  boolean widthsDiffer() {
    return wrong > right || wrong > MOST_WRONG;
  }
}
