package org.hourstone.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A client that has gone is distinguished from one that only sends nothing more. */
class HalfClosedClientTest {
  private final EmbeddedChannel channel =
      new EmbeddedChannel(new HttpCodec(new HttpDecoderConfig()), new HalfClosedClient());

  @BeforeEach
  void stopTheClock() {
    channel.freezeTime();
  }

  @AfterEach
  void close() {
    channel.finishAndReleaseAll();
  }

  private void request(String version) {
    channel.writeInbound(
        Unpooled.copiedBuffer("GET / " + version + "\r\nHost: localhost\r\n\r\n", US_ASCII));
  }

  private String sentAfterASecond() {
    channel.advanceTimeBy(1, TimeUnit.SECONDS);
    channel.runScheduledPendingTasks();
    StringBuilder sent = new StringBuilder();
    for (ByteBuf part = channel.readOutbound(); part != null; part = channel.readOutbound()) {
      sent.append(part.toString(US_ASCII));
      part.release();
    }
    return sent.toString();
  }

  @Test
  void aClientThatSendsNothingMoreGetsInterimResponsesUntilItsResponseBegins() {
    request("HTTP/1.1");
    assertThat(sentAfterASecond()).isEmpty();

    channel.pipeline().fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);

    assertThat(sentAfterASecond()).isEqualTo("HTTP/1.1 102 Processing\r\n\r\n");
    assertThat(sentAfterASecond()).isEqualTo("HTTP/1.1 102 Processing\r\n\r\n");
    channel.writeOutbound(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK));
    assertThat(sentAfterASecond()).startsWith("HTTP/1.1 200").doesNotContain("102");
    channel.writeOutbound(LastHttpContent.EMPTY_LAST_CONTENT);
    assertThat(sentAfterASecond()).doesNotContain("102");
  }

  @Test
  void anInterimResponseIsOnlyForARequestInProgress() {
    request("HTTP/1.1");
    channel.pipeline().fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);
    channel.writeOutbound(new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK));

    assertThat(sentAfterASecond()).doesNotContain("102");
  }

  @Test
  void aClientOfHttp10DoesNotKnowThem() {
    request("HTTP/1.0");
    channel.pipeline().fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);

    assertThat(sentAfterASecond()).isEmpty();
  }
}
