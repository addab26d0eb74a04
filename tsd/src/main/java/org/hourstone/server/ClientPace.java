package org.hourstone.server;

import io.netty.channel.Channel;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.function.LongSupplier;

/** Lets the thread that generates a response wait until its client has accepted what was sent. */
final class ClientPace {
  private final Channel channel;
  private final Duration patience;
  private final LongSupplier nanoTime;
  private boolean givenUp;

  /**
   * @param patience how long a client may take to accept a response, at the least
   */
  ClientPace(Channel channel, Duration patience, LongSupplier nanoTime) {
    this.channel = channel;
    this.patience = patience;
    this.nanoTime = nanoTime;
  }

  Duration patience() {
    return patience;
  }

  /** Whether the connection can take more. */
  boolean isReady() {
    return channel.isWritable();
  }

  /** Lets the thread that waits do something else; the response is broken off. */
  synchronized void giveUp() {
    givenUp = true;
    notifyAll();
  }

  /** It was not waited for any more when it was given up, so its next response is not concerned. */
  synchronized void notGivenUp() {
    givenUp = false;
  }

  /** The connection can take more, or has been closed. */
  synchronized void changed() {
    notifyAll();
  }

  /**
   * Waits until the connection can take more.
   *
   * @param nanos how long, at most
   * @return how much of that is left
   * @throws IOException if the client has gone, takes longer or is {@linkplain #giveUp given up}
   */
  synchronized long await(long nanos) throws IOException {
    if (channel.isWritable()) {
      return nanos;
    }
    long deadline = nanoTime.getAsLong() + nanos;
    while (true) {
      long left = deadline - nanoTime.getAsLong();
      if (left <= 0) {
        throw new IOException("the client has accepted its response too slowly");
      }
      if (channel.isWritable()) {
        return left;
      }
      if (!channel.isActive()) {
        throw new ClosedChannelException();
      }
      if (givenUp) {
        throw new IOException("the client accepts its response slowly, and others need its thread");
      }
      try {
        wait(left / 1_000_000 + 1);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted", e);
      }
    }
  }
}
