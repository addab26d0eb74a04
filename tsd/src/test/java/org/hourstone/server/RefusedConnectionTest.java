package org.hourstone.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.Test;

class RefusedConnectionTest {
  private static final long NONE = -1;

  @Test
  void nothingKeepsAConnectionThatIsClosed() {
    RefusedConnection refused = new RefusedConnection("too many");
    EmbeddedChannel channel = new EmbeddedChannel(refused);
    assertThat(channel.runScheduledPendingTasks()).isNotEqualTo(NONE);

    channel.pipeline().remove(refused); // as when it is closed, but the channel cancels nothing

    assertThat(channel.runScheduledPendingTasks()).isEqualTo(NONE);
  }
}
