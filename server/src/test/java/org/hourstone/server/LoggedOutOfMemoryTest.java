package org.hourstone.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.ChannelHandler;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.concurrent.DefaultEventExecutor;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Wherever a network thread runs out of memory, the handler that ends the process is called. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class LoggedOutOfMemoryTest {
  private final List<Throwable> reported = new CopyOnWriteArrayList<>();
  private Thread.@Nullable UncaughtExceptionHandler before;

  @BeforeEach
  void catchReports() {
    before = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> reported.add(thrown));
  }

  @AfterEach
  void restore() {
    Thread.setDefaultUncaughtExceptionHandler(before);
  }

  @Test
  void aTaskOfANetworkThreadThatRunsOutOfMemoryIsReported() throws Exception {
    LoggedOutOfMemory watch = LoggedOutOfMemory.watch("io.netty");
    try (watch) {
      DefaultEventExecutor thread = new DefaultEventExecutor();
      thread.execute(
          () -> {
            throw new OutOfMemoryError("as if");
          });
      thread.shutdownGracefully(0, 1, TimeUnit.SECONDS).await();
    }
    // Reported by each watch of this process, servers of other tests included.
    assertThat(new HashSet<>(reported)).singleElement().isInstanceOf(OutOfMemoryError.class);
  }

  static Stream<ChannelHandler> handlers() {
    RefusedConnection refused = RefusedConnectionTest.refused("test");
    return Stream.of(new FirstByte(to -> {}, to -> {}, () -> refused), refused);
  }

  @ParameterizedTest
  @MethodSource("handlers")
  void aConnectionThatRunsOutOfMemoryIsReported(ChannelHandler handler) {
    EmbeddedChannel channel = new EmbeddedChannel(handler);

    channel.pipeline().fireExceptionCaught(new OutOfMemoryError("as if"));

    assertThat(reported).singleElement().isInstanceOf(OutOfMemoryError.class);
  }
}
