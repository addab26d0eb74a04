package org.hourstone.server;

import io.netty.channel.Channel;
import io.netty.util.concurrent.ScheduledFuture;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Limits the time in which a head or a body must arrive: a fixed time, plus a second for each
 * {@value #BYTES_PER_SECOND} bytes of it. The time stops while the connection isn't read because
 * earlier requests are being handled. Used on the connection's network thread only.
 */
final class ArrivalTime {
  /** The minimum rate; also that of a response, see {@link ResponseStream}. */
  static final int BYTES_PER_SECOND = 64 * 1024;

  private final Channel channel;
  private final long patienceMillis;
  private final LongSupplier received;
  private final Runnable late;
  private long granted;
  private ScheduledFuture<?> next;

  /**
   * Starts the time limit.
   *
   * @param received the number of bytes so far
   * @param late runs if the time is over before the {@linkplain #end() end}
   */
  ArrivalTime(Channel channel, Duration patience, LongSupplier received, Runnable late) {
    this.channel = channel;
    this.patienceMillis = patience.toMillis();
    this.received = received;
    this.late = late;
    this.next = after(patienceMillis);
  }

  private ScheduledFuture<?> after(long millis) {
    return channel.eventLoop().schedule(this::check, millis, TimeUnit.MILLISECONDS);
  }

  private void check() {
    long earned = received.getAsLong() * 1000 / BYTES_PER_SECOND;
    if (!channel.config().isAutoRead()) {
      next = after(patienceMillis);
    } else if (earned > granted) {
      next = after(earned - granted);
      granted = earned;
    } else {
      late.run();
    }
  }

  /** Ends the time limit: the data has arrived, or is not needed any more. */
  void end() {
    next.cancel(false);
  }
}
