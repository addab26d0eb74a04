package org.hourstone;

import java.util.List;
import java.util.Optional;
import org.hourstone.codec.RowKey;
import org.hourstone.head.Head;
import org.hourstone.index.SeriesIndex;
import org.hourstone.internal.Backoff;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.KeyValueReader;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.SchemaMode;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.hourstone.kv.Trait;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a database has a head, and opens it. Whatever is decided, no point of a journal
 * is left out: a database without a head writes them to the data table first, and one that can't
 * write only shows them.
 */
final class HeadOpening {
  /** What {@link #open} has found. */
  enum Result {
    /** There is no head. */
    NONE,
    /** Points go to the head. */
    OPEN,
    /** The store is read-only, and its journal is shown. */
    READ_ONLY
  }

  private final KeyValueStore store;
  private final TsdbOptions options;
  private final EngineOptions parts;
  private final Family journal;
  private final Head head;

  HeadOpening(
      KeyValueStore store,
      TsdbOptions options,
      EngineOptions parts,
      RowKey keys,
      SeriesIndex index,
      Backoff backoff) {
    this.store = store;
    this.options = options;
    this.parts = parts;
    this.journal = options.journalFamily();
    this.head =
        new Head(
            store,
            options.tables().points(),
            journal,
            keys,
            parts.head(),
            options.clock(),
            backoff,
            announcements(index));
  }

  /** The head, empty until it is opened; to be closed with the database, whatever was decided. */
  Head head() {
    return head;
  }

  /** The store with the points that the head has, now or later. */
  KeyValueStore reader() {
    return isShared() ? store : head.over(store);
  }

  /**
   * Opens the head, once.
   *
   * @param ownership of the store; null if other processes use it, or it is read-only
   * @throws IllegalArgumentException if one is demanded that the store or a setting does not permit
   * @throws org.hourstone.codec.CorruptDataException if the journal can't be read
   */
  Result open(@Nullable StoreOwnership ownership) {
    boolean wanted = isWanted();
    boolean mayWrite = ownership != null && ownership.isOwner();
    boolean mayShow = ownership == null && !isShared();
    if (!(mayWrite || mayShow) || !(exists() || (mayWrite && wanted && create()))) {
      return Result.NONE;
    }
    boolean decided = false;
    try {
      Result result = mayWrite ? open(wanted) : showJournal();
      decided = true;
      return result;
    } finally {
      if (!decided) {
        head.close();
      }
    }
  }

  /** As {@link TsdbOptions#withJournal}; instead of {@link #open}. */
  KeyValueReader show() {
    StoreRecord.compare(store, options);
    if (isShared() || !exists()) {
      return store;
    }
    head.replay();
    return head.over(store);
  }

  private Result open(boolean wanted) {
    try {
      head.begin();
    } catch (StoreException e) {
      if (e.outcome() != Outcome.REJECTED) {
        throw e;
      }
      return showJournal();
    }
    head.replay();
    head.announceReplayed();
    if (!wanted) {
      head.shards(1, rows -> {}).get(0).sealAll();
      return Result.NONE;
    }
    return Result.OPEN;
  }

  private Result showJournal() {
    head.replay();
    return Result.READ_ONLY;
  }

  private boolean isShared() {
    return store.traits().contains(Trait.SHARED);
  }

  private boolean isWanted() {
    Optional<Boolean> set = options.get(Settings.HEAD);
    if (!set.orElse(false)) {
      return set.isEmpty()
          && !isShared()
          && store.traits().contains(Trait.DURABLE)
          && parts.writesPacks()
          && options.get(Settings.FLUSH_INTERVAL).isEmpty();
    }
    if (isShared()) {
      throw new IllegalArgumentException(
          Settings.HEAD.key() + "=true: other processes use the store");
    }
    if (!parts.writesPacks()) {
      throw new IllegalArgumentException(
          Settings.HEAD.key()
              + "=true: points are not written as multi-point cells, see "
              + Settings.WRITE_PACKS.key()
              + ", "
              + Settings.ENABLE_APPENDS.key()
              + " and "
              + QuerySettings.FIX_DUPLICATES.key());
    }
    return true;
  }

  private boolean exists() {
    return store.families().contains(journal);
  }

  /** Whether the table could be created; a store that is opened to read only has none. */
  private boolean create() {
    boolean may =
        options.get(Settings.CREATE_TABLES).orElse(!store.traits().contains(Trait.MANAGED_TABLES));
    try {
      store.ensure(
          List.of(new FamilySpec(journal, true)), may ? SchemaMode.CREATE : SchemaMode.VERIFY);
      return true;
    } catch (StoreException e) {
      if (e.outcome() != Outcome.REJECTED || options.get(Settings.HEAD).orElse(false)) {
        throw e;
      }
      return false;
    }
  }

  private static Head.Announcements announcements(SeriesIndex index) {
    return new Head.Announcements() {
      @Override
      public void before(List<byte[]> rows) {
        index.beforeRows(rows);
      }

      @Override
      public void after() {
        index.afterPuts();
      }
    };
  }
}
