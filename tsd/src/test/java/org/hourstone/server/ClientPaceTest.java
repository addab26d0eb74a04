package org.hourstone.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How long a client may keep a response waiting. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ClientPaceTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final EmbeddedChannel channel = new EmbeddedChannel();
  private final AtomicLong now = new AtomicLong();

  private void writable(boolean is) {
    channel.unsafe().outboundBuffer().setUserDefinedWritability(1, is);
  }

  /** Of a client that accepts a part in so many seconds whenever a thread waits for it. */
  private ClientPace accepting(int seconds) {
    return new ClientPace(
        channel,
        PATIENCE,
        () -> {
          writable(now.get() % 2 == 1); // the clock is read when waiting begins, and ends
          return now.getAndIncrement() * Duration.ofSeconds(seconds).toNanos();
        });
  }

  @Test
  void onlyTimeForWhichAClientKeepsAThreadWaitingCounts() throws IOException {
    ClientPace pace = accepting(20);
    assertThat(pace.await(7)).isEqualTo(7);

    writable(false);

    assertThat(pace.await(pace.patience().toNanos())).isEqualTo(Duration.ofSeconds(10).toNanos());
  }

  @Test
  void aClientThatTakesTooLongIsGivenUp() {
    ClientPace pace = accepting(20);
    writable(false);

    assertThatThrownBy(() -> pace.await(Duration.ofSeconds(20).toNanos()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("too slowly");
  }

  @Test
  void aLongResponseThatIsAcceptedSlowlyIsGivenUpInTheEnd() {
    AtomicInteger parts = new AtomicInteger();
    EmbeddedChannel slow =
        new EmbeddedChannel(
            new ChannelOutboundHandlerAdapter() {
              @Override
              public void flush(ChannelHandlerContext context) {
                parts.incrementAndGet();
                writable(false);
                context.flush();
              }
            });
    try (ResponseStream out =
        new ResponseStream(
            slow, accepting(5), HttpResponseStatus.OK, new DefaultHttpHeaders(), true)) {
      assertThatThrownBy(() -> out.write(new byte[1 << 20]))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("too slowly");
    }
    assertThat(parts).as("parts in 30 seconds").hasValue(7);
    slow.finishAndReleaseAll();
  }
}
