package org.hourstone.query;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.hourstone.codec.RowKey;
import org.hourstone.kv.Bytes;
import org.hourstone.uid.NoSuchUidException;
import org.hourstone.uid.UidKind;
import org.hourstone.uid.UidTable;

/**
 * A filter that must be tested by name: once for each value of its tag, regardless of how many
 * series have it. Thread-safe.
 */
final class NameFilter {
  private final byte[] tagk;
  private final boolean passesAbsent;
  private final Predicate<String> match;
  private final UidTable uids;
  private final Map<Bytes, Boolean> known = new ConcurrentHashMap<>();

  /**
   * @param passesAbsent whether series without the tag pass
   */
  NameFilter(byte[] tagk, boolean passesAbsent, Predicate<String> match, UidTable uids) {
    this.tagk = tagk;
    this.passesAbsent = passesAbsent;
    this.match = match;
    this.uids = uids;
  }

  byte[] tagk() {
    return tagk;
  }

  boolean passesAbsent() {
    return passesAbsent;
  }

  /** Whether the series passes. */
  boolean passes(RowKey keys, byte[] tsuid) {
    byte[] tagv = keys.tagvOfTsuid(tsuid, tagk);
    return tagv == null ? passesAbsent : passesValue(tagv);
  }

  /**
   * As {@link #passesValue}, but also true for a value without a name, since the series that have
   * it may have been removed.
   */
  boolean mayPassValue(byte[] tagv) {
    try {
      return passesValue(tagv);
    } catch (NoSuchUidException e) {
      return true;
    }
  }

  /**
   * Whether series with this value of the tag pass.
   *
   * @throws org.hourstone.uid.NoSuchUidException if the value has no name
   */
  boolean passesValue(byte[] tagv) {
    Bytes key = new Bytes(tagv);
    Boolean passes = known.get(key);
    if (passes == null) {
      passes = match.test(uids.name(UidKind.TAGV, tagv));
      known.put(key, passes);
    }
    return passes;
  }
}
