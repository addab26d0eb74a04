package org.hourstone.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.hourstone.testkit.LoggedBy;
import org.junit.jupiter.api.Test;

class AcceptingTest {
  private final ClientLimits limits = new ClientLimits(1);
  private final EmbeddedChannel listener = new EmbeddedChannel(new Accepting(limits));

  @Test
  void aSystemThatRefusesConnectionsIsAskedOnceASecondAndLoggedTwice() {
    listener.freezeTime();
    try (LoggedBy log = LoggedBy.thisThread("")) {
      for (int i = 0; i < 3; i++) {
        listener.pipeline().fireExceptionCaught(new IOException("Too many open files"));
        assertThat(listener.config().isAutoRead()).isFalse();
        listener.advanceTimeBy(1, TimeUnit.SECONDS);
        listener.runScheduledPendingTasks();
        assertThat(listener.config().isAutoRead()).isTrue();
      }
      listener.writeInbound("a connection");
      listener.writeInbound("another one");

      assertThat(log.messages())
          .containsExactly(
              "connections can't be accepted: Too many open files; this is repeated each second",
              "connections are accepted again");
    }
    assertThat(listener.inboundMessages()).hasSize(2);
    assertThat(limits.statistics())
        .anySatisfy(
            each -> {
              assertThat(each.tags()).containsValue("accepting");
              assertThat(each.value()).isEqualTo(3);
            });
  }
}
