package org.hourstone.index;

import java.util.EnumMap;
import java.util.Map;
import java.util.function.BiConsumer;
import org.hourstone.codec.RowKey;
import org.hourstone.internal.UidSet;
import org.hourstone.internal.WritesUnderWay;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.hourstone.uid.SeriesNames;
import org.hourstone.uid.UidKind;
import org.jspecify.annotations.Nullable;

/**
 * Lets UIDs that nothing uses lose their names, while rows are written.
 *
 * <p><strong>No row is written with a UID that has lost its name.</strong> A UID is unused if no
 * row and no entry of the index has it. A row with such a UID is one of a new series, whose entry
 * is put first. While a removal runs the UIDs of all series that are entered are recorded as used.
 * A UID is {@linkplain #retire retired} before its name is deleted, and only if it was not
 * recorded; from then on no series with it is entered, and its row is refused. Its writer resolves
 * the name again, which then gets another UID.
 *
 * <p>So it protects the writes of this database only. Retired UIDs are remembered until it is
 * closed, since a point may have been resolved before and wait: about a bit for each. Thread-safe.
 */
public final class UidRemoval {
  private final RowKey keys;
  private final WritesUnderWay writes;

  // Guarded by this.

  private final Map<UidKind, UidSet> retired = sets();
  private @Nullable Map<UidKind, UidSet> used;

  /** Whether there may be any of both. */
  private volatile boolean isActive;

  private volatile boolean hasRetired;

  UidRemoval(RowKey keys, WritesUnderWay writes) {
    this.keys = keys;
    this.writes = writes;
  }

  private static Map<UidKind, UidSet> sets() {
    Map<UidKind, UidSet> sets = new EnumMap<>(UidKind.class);
    for (UidKind kind : UidKind.values()) {
      sets.put(kind, new UidSet());
    }
    return sets;
  }

  private static UidSet of(Map<UidKind, UidSet> sets, UidKind kind) {
    UidSet set = sets.get(kind);
    if (set == null) {
      throw new AssertionError(kind);
    }
    return set;
  }

  /**
   * Begins a removal; {@link #end} must follow. When it returns, all rows and entries of writes
   * that are not recorded can be read.
   *
   * @throws IllegalStateException if another one runs
   * @throws StoreException if writes take too long
   */
  public void begin() {
    synchronized (this) {
      if (used != null) {
        throw new IllegalStateException("UIDs are already being reclaimed");
      }
      used = sets();
      isActive = true;
    }
    if (!writes.awaitEarlier()) {
      end();
      throw new StoreException(Outcome.NOT_APPLIED, "writes of rows take more than a minute");
    }
  }

  /** Ends a removal. */
  public synchronized void end() {
    used = null;
    isActive = hasRetired;
  }

  /**
   * Retires a UID that no row and no entry of the index had after {@link #begin}; its name must be
   * deleted next.
   *
   * @return false if it has been used since
   */
  public synchronized boolean retire(UidKind kind, byte[] uid) {
    if (used == null || of(used, kind).contains(uid)) {
      return false;
    }
    of(retired, kind).add(uid);
    hasRetired = true;
    return true;
  }

  /** A UID is assigned, at random, which had lost its name. */
  public void assigned(UidKind kind, byte[] uid) {
    if (hasRetired) {
      synchronized (this) {
        of(retired, kind).remove(uid);
      }
    }
  }

  /**
   * Called before a row of a series gets its first value.
   *
   * @throws StoreException NOT_APPLIED if a name of the series has another UID now
   */
  public void admitRow(byte[] row) {
    if (hasRetired && keys.isSeriesRow(row)) {
      synchronized (this) {
        check(keys.tsuid(row));
      }
    }
  }

  /** Called before series without an entry are entered. Throws as {@link #admitRow}. */
  void enter(Iterable<byte[]> tsuids) {
    if (!isActive) {
      return;
    }
    synchronized (this) {
      tsuids.forEach(this::check);
      Map<UidKind, UidSet> now = used;
      if (now != null) {
        tsuids.forEach(tsuid -> forEach(tsuid, (kind, uid) -> of(now, kind).add(uid)));
      }
    }
  }

  private void check(byte[] tsuid) {
    forEach(
        tsuid,
        (kind, uid) -> {
          if (of(retired, kind).contains(uid)) {
            throw new StoreException(
                Outcome.NOT_APPLIED,
                "a name of "
                    + kind.qualifier()
                    + " was unused, and has just lost its UID (uid reclaim): write it again");
          }
        });
  }

  private void forEach(byte[] tsuid, BiConsumer<UidKind, byte[]> each) {
    SeriesNames.forEachUid(keys, tsuid, each);
  }
}
