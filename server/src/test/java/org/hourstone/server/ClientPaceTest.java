package org.hourstone.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How long a client may keep a response waiting. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ClientPaceTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final EmbeddedChannel channel = new EmbeddedChannel();
  private final AtomicLong now = new AtomicLong();
  private final RequestThreads threads = new RequestThreads(2, 1);

  @AfterEach
  void close() {
    threads.close();
  }

  private void writable(boolean is) {
    channel.unsafe().outboundBuffer().setUserDefinedWritability(1, is);
  }

  /** Of a client that accepts a part in N seconds whenever a thread waits for it. */
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
            slow,
            accepting(5),
            threads.slowClients(RequestThreads.Kind.OTHER),
            new ClientLimits(1 << 20),
            HttpResponseStatus.OK,
            new DefaultHttpHeaders(),
            true)) {
      assertThatThrownBy(() -> out.write(new byte[1 << 20]))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("too slowly");
    }
    assertThat(parts).as("parts in 30 seconds").hasValue(7);
    slow.finishAndReleaseAll();
  }

  @Test
  void responsesThatAreNotAcceptedHaveRoomTogetherOrAreSentInSmallPieces() throws IOException {
    ClientLimits limits = new ClientLimits(1 << 20); // of which a quarter is for responses
    List<EmbeddedChannel> unread = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      EmbeddedChannel client = i < 2 ? new EmbeddedChannel(neverFlushing()) : new EmbeddedChannel();
      unread.add(client);
      try (ResponseStream out =
          new ResponseStream(
              client,
              new ClientPace(client, PATIENCE, () -> 0),
              threads.slowClients(RequestThreads.Kind.OTHER),
              limits,
              HttpResponseStatus.OK,
              new DefaultHttpHeaders(),
              true)) {
        out.write(new byte[40_000]);
        assertThat(limits.responses().taken()).isEqualTo(Math.min(i + 1, 2) * 96L * 1024);
        out.end();
      }
    }
    int pieces = 0;
    for (Object part = unread.get(2).readOutbound();
        part != null;
        part = unread.get(2).readOutbound()) {
      pieces++;
      ReferenceCountUtil.release(part);
    }
    assertThat(pieces).as("a head, pieces of 4 KB, and the end").isEqualTo(12);
    unread.forEach(EmbeddedChannel::finishAndReleaseAll);
    assertThat(limits.responses().taken()).isZero();
  }

  private static ChannelOutboundHandlerAdapter neverFlushing() {
    return new ChannelOutboundHandlerAdapter() {
      @Override
      public void flush(ChannelHandlerContext context) {}
    };
  }

  @Test
  void theClientThatIsWaitedForLongestIsGivenUpIfOthersNeedItsThread() throws Exception {
    writable(false);
    List<ClientPace> clients = new ArrayList<>();
    BlockingQueue<Object> ended = new LinkedBlockingQueue<>();
    List<CountDownLatch> waiting = List.of(new CountDownLatch(1), new CountDownLatch(1));
    for (CountDownLatch one : waiting) {
      ClientPace client =
          new ClientPace(
              channel,
              PATIENCE,
              () -> {
                one.countDown(); // the clock is read when waiting begins
                return 0;
              });
      clients.add(client);
      threads.http(
          RequestThreads.Kind.OTHER,
          () -> {
            try {
              long unused =
                  threads.slowClients(RequestThreads.Kind.OTHER).await(client, PATIENCE.toNanos());
            } catch (IOException e) {
              ended.add(client);
            }
          });
    }
    for (CountDownLatch one : waiting) {
      one.await();
    }
    threads.http(RequestThreads.Kind.OTHER, () -> ended.add("another request"));

    assertThat(List.of(ended.take(), ended.take()))
        .as("one of the two, and the request that gets its thread")
        .contains("another request")
        .containsAnyElementsOf(clients);
    assertThat(ended).as("the other one goes on waiting").isEmpty();
    writable(true);
    clients.forEach(ClientPace::changed);
  }

  /** Bodies that become large when they are decompressed find their threads in no other way. */
  @Test
  void theRestOfARequestGetsTheThreadOfAClientThatDoesNotRead() throws InterruptedException {
    writable(false);
    ClientPace pace = new ClientPace(channel, PATIENCE, System::nanoTime);
    List<Thread> waiting = new CopyOnWriteArrayList<>();
    for (int i = 0; i < 2; i++) {
      threads.http(
          RequestThreads.Kind.LARGE_PUT,
          () -> {
            waiting.add(Thread.currentThread());
            assertThatThrownBy(
                    () ->
                        threads
                            .slowClients(RequestThreads.Kind.LARGE_PUT)
                            .await(pace, Long.MAX_VALUE / 2))
                .isInstanceOf(IOException.class);
          });
    }
    while (waiting.size() < 2
        || !waiting.stream().allMatch(one -> one.getState() == Thread.State.TIMED_WAITING)) {
      Thread.onSpinWait();
    }
    CountDownLatch done = new CountDownLatch(1);
    threads.httpLater(RequestThreads.Kind.LARGE_PUT, done::countDown);
    done.await();
  }
}
