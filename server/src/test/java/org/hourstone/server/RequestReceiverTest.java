package org.hourstone.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import java.net.InetAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Requests are received within bounds of size and time. */
class RequestReceiverTest {
  private static final int MEMORY = 1 << 20;
  private static final ServerOptions OPTIONS = ServerTest.options(InetAddress.getLoopbackAddress());
  private static final Duration PATIENCE = OPTIONS.patience().ofResponses();

  private final ClientMemory memory = new ClientMemory(MEMORY);
  private final EmbeddedChannel channel =
      new EmbeddedChannel(new RequestReceiver(head -> memory, head -> false, OPTIONS));

  @BeforeEach
  void stopTheClock() {
    channel.freezeTime();
  }

  @AfterEach
  void close() {
    var unused = channel.close();
    for (Object left = channel.readInbound(); left != null; left = channel.readInbound()) {
      ((Received) left).release();
    }
    assertThat(memory.take(MEMORY)).as("all room is free in the end").isTrue();
  }

  private static HttpRequest post() {
    HttpRequest head = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/api/put");
    head.headers().set("transfer-encoding", "chunked");
    return head;
  }

  private static HttpContent content(int bytes) {
    return new DefaultHttpContent(Unpooled.wrappedBuffer(new byte[bytes]));
  }

  private void pass(Duration time) {
    channel.advanceTimeBy(time.toMillis(), TimeUnit.MILLISECONDS);
    channel.runScheduledPendingTasks();
  }

  private HttpResponseStatus refusal() {
    assertThat(channel.<Received>readInbound()).isInstanceOf(Received.Head.class);
    Received.Refused refused = channel.readInbound();
    return refused.status();
  }

  @Test
  void aBodyThatDoesNotArriveIsRefusedAndItsRoomIsFree() {
    channel.writeInbound(post(), content(60));
    pass(PATIENCE.minusMillis(1));
    assertThat(channel.inboundMessages()).hasSize(1);

    pass(Duration.ofMillis(1));

    assertThat(refusal()).isEqualTo(HttpResponseStatus.REQUEST_TIMEOUT);
    assertThat(memory.take(MEMORY)).isTrue();
    memory.release(MEMORY);
  }

  @Test
  void aLargeBodyHasMoreTime() {
    channel.writeInbound(post(), content(2 * ArrivalTime.BYTES_PER_SECOND));
    pass(PATIENCE);
    pass(Duration.ofMillis(1_999));
    assertThat(channel.inboundMessages()).hasSize(1);

    pass(Duration.ofMillis(1));

    assertThat(refusal()).isEqualTo(HttpResponseStatus.REQUEST_TIMEOUT);
  }

  @Test
  void noTimePassesWhileTheConnectionIsNotRead() {
    channel.writeInbound(post(), content(1));
    channel.config().setAutoRead(false);
    pass(PATIENCE);
    pass(PATIENCE);
    channel.config().setAutoRead(true);
    pass(PATIENCE.minusMillis(1));
    assertThat(channel.inboundMessages()).hasSize(1);

    pass(Duration.ofMillis(1));

    assertThat(refusal()).isEqualTo(HttpResponseStatus.REQUEST_TIMEOUT);
  }

  @Test
  void aBodyThatHasArrivedHasNoTimeLimit() {
    channel.writeInbound(post(), content(1), LastHttpContent.EMPTY_LAST_CONTENT);

    pass(PATIENCE.multipliedBy(2));

    assertThat(channel.inboundMessages()).hasSize(2);
  }

  @Test
  void bodiesCountFromTheirArrivalUntilTheyAreReleased() {
    channel.writeInbound(post(), content(1_000), LastHttpContent.EMPTY_LAST_CONTENT);
    channel.writeInbound(post(), content(2_000));

    assertThat(memory.take(MEMORY - 2_999)).isFalse();
    assertThat(memory.take(MEMORY - 3_000)).isTrue();
    memory.release(MEMORY - 3_000);
  }

  @Test
  void aFaultIsReportedAfterTheRequestsBeforeIt() {
    channel.writeInbound(post(), content(1), LastHttpContent.EMPTY_LAST_CONTENT, post());
    channel.pipeline().fireExceptionCaught(new DecoderException("compressed wrongly"));
    channel.writeInbound(content(1), new DefaultLastHttpContent());
    channel.pipeline().fireExceptionCaught(new DecoderException("as before"));

    assertThat(channel.<Received>readInbound()).isInstanceOf(Received.Head.class);
    Received.Whole whole = channel.readInbound();
    whole.release();
    assertThat(refusal()).isEqualTo(HttpResponseStatus.BAD_REQUEST);
    assertThat(channel.inboundMessages()).isEmpty();
  }
}
