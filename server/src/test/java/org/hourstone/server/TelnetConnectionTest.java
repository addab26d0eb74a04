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
import java.util.stream.Stream;
import org.hourstone.MemorySettings;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.api.Telnet;
import org.hourstone.api.request.ServerInfo;
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

  /** Set once the database is open; its journal then does not take points either. */
  private volatile boolean journalWaits;

  private final ManualClock clock = new ManualClock(Instant.ofEpochSecond(1_500_000_000));
  private final ModelStore store = new ModelStore(clock);
  private final Tsdb db =
      Tsdb.over(
          new ForwardingStore(store) {
            @Override
            public void mutate(Family family, List<RowMutation> batch) {
              boolean isOfJournal = family.table().equals("tsdb-journal");
              if (family.table().equals("tsdb") || (isOfJournal && journalWaits)) {
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
  private final ClientLimits limits = new ClientLimits(4 << 20);
  private final Connections connections = new Connections(1, 1, limits, false);
  private final EmbeddedChannel channel = connection(new Intake(limits, false));

  private EmbeddedChannel connection(Intake intake) {
    return new EmbeddedChannel(
        intake, new TelnetConnection(new Telnet(db), threads, connections, intake, 1024));
  }

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

  private long statistic(String metric, String type) {
    return Stream.of(limits.statistics(), connections.statistics())
        .flatMap(List::stream)
        .filter(each -> each.metric().endsWith(metric) && each.tags().containsValue(type))
        .mapToLong(ServerInfo.Statistic::value)
        .sum();
  }

  @Test
  void allBytesOfLinesThatWaitAndAreExecutedAreCounted() {
    journalWaits = true;
    String lines = "put m 1500000000 1 host=a\n".repeat(1_000);
    channel.writeInbound(Unpooled.copiedBuffer(lines, UTF_8));
    channel.writeInbound(Unpooled.copiedBuffer(lines, UTF_8));

    assertThat(limits.unhandled().taken()).isGreaterThan(2L * lines.length() - Intake.OWN);

    writes.countDown();
    while (limits.unhandled().taken() > 0) {
      goOn();
    }
  }

  @Test
  void commandsWhoseRepliesAreDroppedAreNotExecuted() {
    channel.unsafe().outboundBuffer().setUserDefinedWritability(1, false);

    channel.writeInbound(
        Unpooled.copiedBuffer("stats\nxyz\nversion\nput m 1500000000 1 host=a\nexit\n", UTF_8));
    while (channel.isOpen()) {
      goOn();
    }

    assertThat(statistic("rpc.errors", "socket_writes_blocked")).isEqualTo(3);
    writes.countDown();
    db.flush();
    assertThat(db.writer().stats().stored()).isEqualTo(1);
  }

  @Test
  void manySlowLinesOfOneConnectionLeaveTurnsToOthers() throws InterruptedException {
    channel.writeInbound(Unpooled.copiedBuffer("stats\n".repeat(20_000), UTF_8));
    CountDownLatch other = new CountDownLatch(1);
    threads.telnet(false, false, other::countDown); // all telnet threads could have such lines
    for (int i = 0; i < 3; i++) {
      EmbeddedChannel another = connection(new Intake(limits, false));
      another.writeInbound(Unpooled.copiedBuffer("stats\n".repeat(20_000), UTF_8));
    }
    CountDownLatch last = new CountDownLatch(1);

    threads.telnet(false, false, last::countDown);

    other.await();
    last.await();
    assertThat(statistic("rpc.received", "telnet")).as("of 80,000 lines").isLessThan(40_000);
  }
}
