package org.hourstone.meta;

import java.util.List;
import java.util.Optional;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.internal.Backoff;
import org.hourstone.internal.CellEditor;
import org.hourstone.internal.UidText;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.RowMutation;
import org.hourstone.uid.UidKind;
import org.jspecify.annotations.Nullable;

/**
 * UIDMeta, stored next to the names in the UID table. Does not check whether UIDs have names.
 * Thread-safe.
 */
public final class UidMetaTable {
  private final KeyValueStore store;
  private final Family family;
  private final Runnable admission;
  private final CellEditor cells;

  /**
   * @param family the UID table's family of names, {@code tsdb-uid:name}
   * @param admission throws if nothing new is accepted
   */
  UidMetaTable(KeyValueStore store, Family family, Runnable admission, Backoff backoff) {
    this.admission = admission;
    this.store = store;
    this.family = family;
    this.cells = new CellEditor(store, backoff, MetaJson.MOST_BYTES);
  }

  /** The stored metadata of a UID, or null. */
  public @Nullable UidMeta find(UidKind kind, byte[] uid) {
    byte[] qualifier = kind.metaQualifier();
    byte[] value = store.get(family, uid, Columns.exactly(qualifier)).find(qualifier);
    return value == null ? null : read(kind, uid, value);
  }

  /** The metadata of a UID; if nothing is stored, without fields and with creation time 0. */
  public UidMeta get(UidKind kind, byte[] uid) {
    UidMeta found = find(kind, uid);
    return found == null ? UidMeta.of(kind, 0) : found;
  }

  /**
   * Stores or changes the metadata of a UID. The earlier of two creation times is kept.
   *
   * @param overwrite whether fields that are not set are cleared; else they are kept
   * @return the metadata now stored; empty if no field is set, so that nothing was done
   * @throws org.hourstone.kv.StoreException if the store fails, its disk is nearly full, or other
   *     writers keep changing it
   */
  public Optional<UidMeta> save(byte[] uid, UidMeta meta, boolean overwrite) {
    if (!meta.saysAnything()) {
      return Optional.empty();
    }
    admission.run();
    byte[] stored =
        cells.update(
            family,
            uid,
            meta.kind().metaQualifier(),
            present ->
                present == null
                    ? meta.toStored()
                    : meta.onto(read(meta.kind(), uid, present), overwrite).toStored());
    return Optional.of(read(meta.kind(), uid, stored));
  }

  /**
   * Records that a UID was assigned, unless it already has metadata.
   *
   * @param created in seconds since the epoch
   * @return whether it had no metadata
   */
  public boolean create(UidKind kind, byte[] uid, long created) {
    admission.run();
    return cells.create(family, uid, kind.metaQualifier(), UidMeta.of(kind, created).toStored());
  }

  /**
   * Records that a UID was assigned, in place of corrupt metadata.
   *
   * @param created in seconds since the epoch
   */
  public void replaceCorrupt(UidKind kind, byte[] uid, long created) {
    admission.run();
    store.put(family, uid, kind.metaQualifier(), UidMeta.of(kind, created).toStored());
  }

  /** Deletes the stored metadata of a UID. */
  public void delete(UidKind kind, byte[] uid) {
    store.mutate(family, List.of(new RowMutation(uid, new Change.Delete(kind.metaQualifier()))));
  }

  private UidMeta read(UidKind kind, byte[] uid, byte[] value) {
    try {
      return UidMeta.ofStored(kind, value);
    } catch (CorruptDataException e) {
      throw new CorruptDataException(
          kind.qualifier() + " " + UidText.format(uid) + " of " + family + ": " + e.getMessage(),
          e);
    }
  }
}
