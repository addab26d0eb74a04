package org.hourstone.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpVersion;
import java.net.InetAddress;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.hourstone.Tsdb;
import org.hourstone.api.Api;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A connection of HTTP without a network. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class HttpConnectionTest {
  private final ServerOptions options = ServerTest.options(InetAddress.getLoopbackAddress());
  private final Tsdb db = Tsdb.open("memory:");
  private final RequestThreads threads = new RequestThreads(1, 1);
  private final CountDownLatch free = new CountDownLatch(1);
  private final EmbeddedChannel channel =
      new EmbeddedChannel(
          new RequestReceiver(head -> new BodyMemory(1_000), options),
          new HttpConnection(shared()));

  private Shared shared() {
    Api api = new Api(db);
    HttpMetrics metrics = new HttpMetrics();
    return new Shared(
        api,
        new Pages(new MetricsPage(api, metrics)),
        Cors.of(db.engine().options()),
        new Authentication(null),
        true,
        metrics,
        threads,
        new Connections(1),
        options);
  }

  @AfterEach
  void close() {
    free.countDown();
    threads.close();
    db.close();
  }

  @Test
  void requestsWaitUntilTheClientAcceptsResponses() {
    channel.unsafe().outboundBuffer().setUserDefinedWritability(1, false);

    channel.writeInbound(request(), request());
    channel.runPendingTasks();

    assertThat(channel.config().isAutoRead()).isFalse();
    assertThat(channel.<Object>readOutbound()).isNull();

    channel.unsafe().outboundBuffer().setUserDefinedWritability(1, true);

    assertThat(status()).isEqualTo(200);
    assertThat(status()).isEqualTo(200);
    while (!channel.config().isAutoRead()) {
      channel.runPendingTasks();
    }
  }

  @Test
  void aRequestGoesOnThoughItsClientSendsNothingMore() {
    occupyThread();
    channel.writeInbound(request());
    channel.pipeline().fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);
    channel.runPendingTasks();
    assertThat(channel.isOpen()).isTrue();

    free.countDown();

    assertThat(status()).isEqualTo(200);
    while (channel.isOpen()) {
      channel.runPendingTasks();
    }
  }

  @Test
  void aQueryWhoseTargetIsAWholeUrlTakesAThreadOfQueries() {
    occupyThread();
    occupyThread(); // now all others are refused

    channel.writeInbound(request("http://test/api/query"));

    assertThat(status()).as("of a query without a start").isEqualTo(400);
  }

  @Test
  void whoeverWatchesTheServerNeedsNoThread() {
    occupyThread();
    occupyThread();

    channel.writeInbound(request("/healthz"), request("/readyz?a"), request());

    assertThat(status()).isEqualTo(200);
    assertThat(status()).isEqualTo(200);
    assertThat(status()).as("of another request").isEqualTo(503);
  }

  @Test
  void aRequestWhoseBodyIsArrivingIsAnsweredBeforeTheServerStops() {
    DefaultHttpRequest head =
        new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/api/put");
    head.headers().set(HttpHeaderNames.CONTENT_LENGTH, 2);
    channel.writeInbound(head, new DefaultHttpContent(Unpooled.copiedBuffer("[", UTF_8)));
    channel.pipeline().fireUserEventTriggered(Connections.Stop.NOW);
    channel.runPendingTasks();
    assertThat(channel.isOpen()).isTrue();

    channel.writeInbound(new DefaultLastHttpContent(Unpooled.copiedBuffer("]", UTF_8)));

    assertThat(status()).isEqualTo(400);
    while (channel.isOpen()) {
      channel.runPendingTasks();
    }
  }

  /** Lets a thread of small requests wait. */
  private void occupyThread() {
    threads.http(
        false,
        () -> {
          try {
            free.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
  }

  private static DefaultFullHttpRequest request() {
    return request("/api/version");
  }

  private static DefaultFullHttpRequest request(String target) {
    return new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, target);
  }

  /** Waits for a response. */
  private int status() {
    FullHttpResponse response = channel.readOutbound();
    while (response == null) {
      channel.runPendingTasks();
      response = channel.readOutbound();
    }
    response.release();
    return response.status().code();
  }
}
