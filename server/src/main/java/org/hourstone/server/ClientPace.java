package org.hourstone.server;

import io.netty.channel.Channel;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Makes the thread that generates a response wait until its client has accepted the bytes sent so
 * far.
 */
final class ClientPace {
  private final Channel channel;
  private final Duration patience;
  private final LongSupplier nanoTime;
  private boolean givenUp;

  /**
   * @param patience the minimum time a client has to accept a response
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

  /** Releases the waiting thread; the response is aborted. */
  synchronized void giveUp() {
    givenUp = true;
    notifyAll();
  }

  /**
   * Reverts {@link #giveUp} if no thread was waiting any more, so that the next response is not
   * affected.
   */
  synchronized void notGivenUp() {
    givenUp = false;
  }

  /** Called when the connection can accept more bytes or has been closed. */
  synchronized void changed() {
    notifyAll();
  }

  /**
   * Waits until the connection can take more.
   *
   * @param nanos the maximum time to wait
   * @return the remaining time
   * @throws IOException if the client has disconnected, takes longer or is {@linkplain #giveUp
   *     given up}
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
