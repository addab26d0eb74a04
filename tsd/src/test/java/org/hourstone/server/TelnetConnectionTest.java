package org.hourstone.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.hourstone.MemorySettings;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.api.Telnet;
import org.hourstone.kv.Family;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.RowMutation;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.store.ModelStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A connection of telnet without a network, over a store that does not write for a while. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class TelnetConnectionTest {
  private final CountDownLatch writes = new CountDownLatch(1);
  private final ManualClock clock = new ManualClock(Instant.ofEpochSecond(1_500_000_000));
  private final ModelStore store = new ModelStore(clock);
  private final Tsdb db =
      Tsdb.over(
          new ForwardingStore(store) {
            @Override
            public void mutate(Family family, List<RowMutation> batch) {
              if (family.table().equals("tsdb")) {
                await(writes);
              }
              super.mutate(family, batch);
            }
          },
          TsdbOptions.defaults()
              .withClock(clock)
              .with(Settings.AUTO_CREATE_METRICS, "true")
              .with(Settings.COMPACTION_BACKGROUND, "false")
              .with(MemorySettings.WRITE_QUEUE, "1000")
              .with(MemorySettings.BUFFERED_POINTS, "1000"));

  private final RequestThreads threads = new RequestThreads(1, 1);
  private final EmbeddedChannel channel =
      new EmbeddedChannel(
          new TelnetConnection(
              new Telnet(db), threads, new Connections(1), new BodyMemory(1 << 20), 1024));

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @AfterEach
  void close() {
    writes.countDown();
    threads.close();
    db.close();
    store.close();
  }

  /** Lets the connection go on; the timeout ends whoever repeats that. */
  private void goOn() {
    channel.runPendingTasks();
    assertThat(Thread.interrupted()).as("takes too long").isFalse();
  }

  @Test
  void whileTheStoreDoesNotWriteItsClientIsNotReadAndNothingIsLost() {
    int sent = 0;
    while (channel.config().isAutoRead()) {
      StringBuilder lines = new StringBuilder();
      for (int i = 0; i < 1000; i++) {
        lines.append("put m ").append(1_500_000_000 + sent++).append(" 1 host=a\n");
      }
      channel.writeInbound(Unpooled.copiedBuffer(lines, UTF_8));
      goOn();
    }

    writes.countDown();
    while (!channel.config().isAutoRead()) {
      goOn();
    }
    channel.pipeline().fireUserEventTriggered(Connections.Stop.NOW);
    while (channel.isOpen()) {
      goOn();
    }
    db.flush();

    ByteBuf replies = channel.readOutbound();
    assertThat(replies.toString(UTF_8)).isEmpty();
    assertThat(channel.<Object>readOutbound()).isNull();
    assertThat(db.writer().stats().stored()).isEqualTo(sent);
  }
}
