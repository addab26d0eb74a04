package org.hourstone;

import com.google.common.util.concurrent.Uninterruptibles;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.hourstone.internal.EngineThread;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.rollup.RolledHours;
import org.jspecify.annotations.Nullable;

/**
 * The part of one open database in the ownership of its store, which no other process uses.
 *
 * <p>The first database over a store is its owner: while no other one is open, it may keep points
 * to itself, or write them in a form that depends on what it has written before. Before another one
 * is opened the owner {@linkplain #opened retires}, for good. Until all databases over the store
 * are closed, in whatever order, none of them is an owner. While a database is being opened or
 * closed, openings over the same store wait.
 *
 * <p>Two handles are of one store if the same object is behind their wrappers; or if the store has
 * the same {@linkplain StoreRecord#identity identity} by both, or was opened without one, and one
 * shows what was just written through the other: so a copy of a store is another one. Thread-safe.
 */
final class StoreOwnership implements AutoCloseable {
  /** The stores with open databases. Guarded by itself, as is each of them. */
  private static final List<OwnedStore> STORES = new ArrayList<>();

  private enum State {
    OPENING,
    OPEN,
    CLOSED
  }

  private static final class OwnedStore {
    final KeyValueStore handle;
    final @Nullable String identity;
    final StoreOwnership owner;
    @Nullable RolledHours hours;
    int databases = 1;
    boolean ownerRetired;

    OwnedStore(KeyValueStore handle, @Nullable String identity, StoreOwnership owner) {
      this.handle = handle;
      this.identity = identity;
      this.owner = owner;
    }

    boolean isBehind(KeyValueStore other) {
      return ForwardingStore.innermost(handle) == ForwardingStore.innermost(other);
    }
  }

  private final OwnedStore store;
  private volatile State state = State.OPENING;
  private volatile Runnable retiring = () -> {};
  private final CountDownLatch opening = new CountDownLatch(1);
  private final CountDownLatch closing = new CountDownLatch(1);

  /** An owner. */
  private StoreOwnership(KeyValueStore handle, @Nullable String identity) {
    this.store = new OwnedStore(handle, identity, this);
  }

  /** A database that is not alone. */
  private StoreOwnership(OwnedStore store) {
    this.store = store;
  }

  /**
   * Called while a database is opened, before it writes points; {@link #opened} or {@link #close}
   * must follow.
   *
   * @throws org.hourstone.kv.StoreException if the owner can't retire, since its points can't be
   *     written
   * @throws IllegalStateException if called by one of the engine's threads, in a callback
   */
  static StoreOwnership join(KeyValueStore handle, StoreRecord record) {
    EngineThread.checkMayWait();
    while (true) {
      List<OwnedStore> seen;
      synchronized (STORES) {
        seen = List.copyOf(STORES);
      }
      OwnedStore present = find(seen, handle, record);
      if (present != null) {
        StoreOwnership joined = join(present);
        if (joined != null) {
          return joined;
        }
      } else {
        synchronized (STORES) {
          if (seen.containsAll(STORES)) {
            StoreOwnership owner = new StoreOwnership(handle, record.identity());
            STORES.add(owner.store);
            return owner;
          }
        }
      }
    }
  }

  private static @Nullable OwnedStore find(
      List<OwnedStore> stores, KeyValueStore handle, StoreRecord record) {
    for (OwnedStore store : stores) {
      if (store.isBehind(handle)) {
        return store;
      }
    }
    String identity = record.identity();
    for (OwnedStore store : stores) {
      boolean possible = store.identity == null || store.identity.equals(identity);
      if (identity != null && possible && record.isShownBy(store.handle)) {
        return store;
      }
    }
    return null;
  }

  /** Null if the store has no open database any more. */
  private static @Nullable StoreOwnership join(OwnedStore store) {
    boolean retired;
    synchronized (STORES) {
      retired = store.ownerRetired;
    }
    retired = retired || store.owner.retire();
    synchronized (STORES) {
      store.ownerRetired |= retired;
      if (store.databases == 0 || !store.ownerRetired) {
        return null;
      }
      store.databases++;
      return new StoreOwnership(store);
    }
  }

  /** Returns false if it was closed instead. */
  private boolean retire() {
    Uninterruptibles.awaitUninterruptibly(opening);
    if (state == State.CLOSED) {
      Uninterruptibles.awaitUninterruptibly(closing);
      return false;
    }
    try {
      retiring.run();
      return true;
    } catch (IllegalStateException e) { // it is being closed
      Uninterruptibles.awaitUninterruptibly(closing);
      return false;
    }
  }

  /** Whether this database was the first one over the store, and is or was its owner. */
  boolean isOwner() {
    return store.owner == this;
  }

  /** Those of the first database over the store that has called this, and that are open. */
  RolledHours hours(RolledHours own) {
    synchronized (STORES) {
      RolledHours first = store.hours == null ? own : store.hours;
      store.hours = first;
      return first;
    }
  }

  /**
   * The database is open.
   *
   * @param retire makes it keep no points any more, and returns when it keeps none; throws
   *     IllegalStateException if it is being closed
   */
  void opened(Runnable retire) {
    retiring = retire;
    state = State.OPEN;
    opening.countDown();
  }

  /** The database is closed, or could not be opened. May be repeated. */
  @Override
  public void close() {
    synchronized (STORES) {
      if (state != State.CLOSED) {
        state = State.CLOSED;
        if (--store.databases == 0) {
          STORES.remove(store);
        }
      }
    }
    opening.countDown();
    closing.countDown();
  }
}
