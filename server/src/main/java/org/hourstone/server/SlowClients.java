package org.hourstone.server;

import java.io.IOException;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The clients for which threads of a pool wait because they don't accept their responses. When a
 * request waits for a thread and none is free, the client that was waited for longest is given up,
 * one for each request, so that clients that don't read can't block other requests. Thread-safe.
 */
final class SlowClients {
  private final ThreadStack threads;
  private final Set<ClientPace> waitedFor = new LinkedHashSet<>();

  /** The number of given-up clients whose threads have not ended their responses yet. */
  private int givenUp;

  SlowClients(ThreadStack threads) {
    this.threads = threads;
  }

  /**
   * Waits until a client can accept more, as {@link ClientPace#await}.
   *
   * @throws IOException also if the thread is needed for other requests
   */
  long await(ClientPace client, long nanos) throws IOException {
    if (client.isReady()) {
      return nanos;
    }
    synchronized (this) {
      waitedFor.add(client);
    }
    try {
      giveUpIfThreadsAreShort();
      return client.await(nanos);
    } finally {
      synchronized (this) {
        if (!waitedFor.remove(client)) {
          givenUp--;
        }
        client.notGivenUp();
      }
    }
  }

  /** Called when a request has begun to wait for a thread, or a thread for a client. */
  synchronized void giveUpIfThreadsAreShort() {
    Iterator<ClientPace> longest = waitedFor.iterator();
    if (longest.hasNext() && threads.waiting() > givenUp) {
      longest.next().giveUp();
      longest.remove();
      givenUp++;
    }
  }
}
