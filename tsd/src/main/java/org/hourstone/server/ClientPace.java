package org.hourstone.server;

import io.netty.channel.Channel;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;

/** Lets the thread that generates a response wait until its client has accepted what was sent. */
final class ClientPace {
  private final Channel channel;
  private final long patienceNanos;

  ClientPace(Channel channel, Duration patience) {
    this.channel = channel;
    this.patienceNanos = patience.toNanos();
  }

  /** The connection can take more, or has been closed. */
  synchronized void changed() {
    notifyAll();
  }

  /**
   * @throws IOException if the client has gone or accepts nothing for too long
   */
  synchronized void await() throws IOException {
    long deadline = System.nanoTime() + patienceNanos;
    while (!channel.isWritable()) {
      long left = deadline - System.nanoTime();
      if (!channel.isActive()) {
        throw new ClosedChannelException();
      }
      if (left <= 0) {
        throw new IOException("the client has accepted nothing for " + patienceNanos + " ns");
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
