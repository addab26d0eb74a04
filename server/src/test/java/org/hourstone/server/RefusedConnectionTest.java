package org.hourstone.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.api.Api;
import org.hourstone.api.Telnet;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.api.request.RefusalReason;
import org.junit.jupiter.api.Test;

class RefusedConnectionTest {
  private static final long NONE = -1;

  /** One that counts what its client sends where nothing reads it. */
  static RefusedConnection refused(String reason) {
    try (Tsdb db = Tsdb.open("memory:", TsdbOptions.defaults())) {
      ApiResponse answer = ApiResponse.error(503, reason, "");
      return new RefusedConnection(
          reason,
          new RefusedInput(
              new Api(db), new Telnet(db), answer, RefusalReason.OVERLOADS, reason, "test"));
    }
  }

  @Test
  void nothingKeepsAConnectionThatIsClosed() {
    RefusedConnection refused = refused("too many");
    EmbeddedChannel channel = new EmbeddedChannel(refused);
    assertThat(channel.runScheduledPendingTasks()).isNotEqualTo(NONE);

    channel.pipeline().remove(refused); // as when it is closed, but the channel cancels nothing

    assertThat(channel.runScheduledPendingTasks()).isEqualTo(NONE);
  }
}
