package org.hourstone.server;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The account of the memory, in bytes, that clients make the server use: what is taken from a share
 * is also taken from the whole, and no more can be taken than there is. Clients may wait for room
 * in a share; they get it in the order in which they began to wait, before all that don't wait.
 * While one waits, the client that has been stuck longest must give up what it has: otherwise
 * clients that send a part of something and then nothing would keep all others waiting.
 * Thread-safe.
 */
final class ClientMemory {
  /** A client that may wait for room. Its methods must return at once. */
  interface Client {
    /**
     * Called when the client has got {@link #ROOM} bytes.
     *
     * @return false if it doesn't need them any more
     */
    boolean granted();

    /** Called when it must release what it has taken; it then {@linkplain #leave leaves}. */
    void giveUp();
  }

  /** The number of bytes for which a client waits. */
  static final int ROOM = 16 * 1024;

  private final @Nullable ClientMemory whole;
  private final long size;
  private final AtomicLong free;

  /** What large amounts are taken from; null if that is this. */
  private @Nullable ClientMemory large;

  /** The shares whose clients may wait for room in this. */
  private final List<ClientMemory> shares = new CopyOnWriteArrayList<>();

  private final Set<Client> waiting = new LinkedHashSet<>();
  private final Set<Client> stuck = new LinkedHashSet<>();

  /** The client that was asked to give up and has not left yet. */
  private @Nullable Client leaving;

  /** Read without the lock, so that taking and releasing don't need it. */
  private volatile boolean isAwaited;

  ClientMemory(long bytes) {
    this(null, bytes);
  }

  private ClientMemory(@Nullable ClientMemory whole, long bytes) {
    this.whole = whole;
    this.size = bytes;
    this.free = new AtomicLong(bytes);
  }

  /** A share of this memory, for clients or purposes that must not use all of it. */
  ClientMemory share(long bytes) {
    ClientMemory share = new ClientMemory(this, bytes);
    root().shares.add(share);
    return share;
  }

  /** This memory, of which large amounts can't use all, so that there is room for small ones. */
  ClientMemory reserving(long bytesForSmall) {
    large = share(size - bytesForSmall);
    return this;
  }

  /** The share for large amounts. */
  ClientMemory ofLarge() {
    return large == null ? this : large;
  }

  private ClientMemory root() {
    return whole == null ? this : whole.root();
  }

  /** The number of bytes that can be taken in all. */
  long size() {
    return size;
  }

  /** The number of bytes that are taken; more than there are after {@link #takeAnyway}. */
  long taken() {
    return size - free.get();
  }

  /** Takes bytes if there is room; returns whether there was. */
  boolean take(long bytes) {
    if (bytes == 0) {
      return true; // even if more is taken than there is
    }
    long now = free.get();
    // Bytes are never taken and then given back here, since other requests would be refused in
    // between. In a share this may happen.
    while (now >= bytes) {
      if (free.compareAndSet(now, now - bytes)) {
        if (whole == null || whole.take(bytes)) {
          return true;
        }
        free.addAndGet(bytes);
        return false;
      }
      now = free.get();
    }
    return false;
  }

  /** As {@link #take}, if no client waits. */
  boolean takeInTurn(long bytes) {
    return !isAwaited && take(bytes);
  }

  /** Takes bytes that are in use already, whether there is room or not. */
  void takeAnyway(long bytes) {
    free.addAndGet(-bytes);
    if (whole != null) {
      whole.takeAnyway(bytes);
    }
  }

  void release(long bytes) {
    if (bytes == 0) {
      return;
    }
    for (ClientMemory each = this; each != null; each = each.whole) {
      each.free.addAndGet(bytes);
    }
    // A client first waits and then checks for room, so one of both sees the other.
    for (ClientMemory share : root().shares) {
      if (share.isAwaited) {
        share.relieve();
      }
    }
  }

  /** Begins to wait; ends when room is granted, or by {@link #leave}. */
  void await(Client client) {
    synchronized (this) {
      waiting.add(client);
      isAwaited = true;
    }
    relieve();
  }

  /** Called when a client has taken memory that it won't release by itself, or has released it. */
  void setStuck(Client client, boolean isStuck) {
    synchronized (this) {
      if (!(isStuck ? stuck.add(client) : stuck.remove(client)) || !isStuck) {
        return;
      }
    }
    relieve();
  }

  /** Called when a client has released all memory and takes no more. */
  void leave(Client client) {
    synchronized (this) {
      waiting.remove(client);
      stuck.remove(client);
      isAwaited = !waiting.isEmpty();
      if (client.equals(leaving)) {
        leaving = null;
      }
    }
    relieve();
  }

  /** Grants room while there is some; else the client that is stuck longest must give up. */
  private void relieve() {
    List<Client> unneeded = new ArrayList<>();
    synchronized (this) {
      Iterator<Client> next = waiting.iterator();
      while (next.hasNext() && take(ROOM)) {
        Client first = next.next();
        next.remove();
        if (!first.granted()) {
          unneeded.add(first);
        }
      }
      isAwaited = !waiting.isEmpty();
      if (isAwaited && leaving == null && !stuck.isEmpty()) {
        Client longest = stuck.iterator().next();
        stuck.remove(longest);
        leaving = longest;
        longest.giveUp();
      }
    }
    release((long) ROOM * unneeded.size());
  }
}
