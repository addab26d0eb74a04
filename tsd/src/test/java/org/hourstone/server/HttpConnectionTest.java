package org.hourstone.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpVersion;
import java.net.InetAddress;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.hourstone.Tsdb;
import org.hourstone.api.Api;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A connection of HTTP without a network. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class HttpConnectionTest {
  @Test
  void requestsWaitUntilTheClientAcceptsResponses() {
    ServerOptions options = ServerTest.options(InetAddress.getLoopbackAddress());
    try (Tsdb db = Tsdb.open("memory:");
        RequestThreads threads = new RequestThreads(1, 1)) {
      EmbeddedChannel channel =
          new EmbeddedChannel(
              new RequestReceiver(head -> new BodyMemory(1_000), options),
              new HttpConnection(shared(db, threads, options)));
      channel.unsafe().outboundBuffer().setUserDefinedWritability(1, false);

      channel.writeInbound(request(), request());
      channel.runPendingTasks();

      assertThat(channel.config().isAutoRead()).isFalse();
      assertThat(channel.<Object>readOutbound()).isNull();

      channel.unsafe().outboundBuffer().setUserDefinedWritability(1, true);

      assertThat(status(channel)).isEqualTo(200);
      assertThat(status(channel)).isEqualTo(200);
      while (!channel.config().isAutoRead()) {
        channel.runPendingTasks();
      }
    }
  }

  @Test
  void aRequestGoesOnThoughItsClientSendsNothingMore() throws Exception {
    ServerOptions options = ServerTest.options(InetAddress.getLoopbackAddress());
    CountDownLatch free = new CountDownLatch(1);
    try (Tsdb db = Tsdb.open("memory:");
        RequestThreads threads = new RequestThreads(1, 1)) {
      EmbeddedChannel channel =
          new EmbeddedChannel(
              new RequestReceiver(head -> new BodyMemory(1_000), options),
              new HttpConnection(shared(db, threads, options)));
      threads.http(false, () -> await(free));
      channel.writeInbound(request());
      channel.pipeline().fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);
      channel.runPendingTasks();
      assertThat(channel.isOpen()).isTrue();

      free.countDown();

      assertThat(status(channel)).isEqualTo(200);
      while (channel.isOpen()) {
        channel.runPendingTasks();
      }
    }
  }

  @Test
  void aQueryWhoseTargetIsAWholeUrlTakesAThreadOfQueries() {
    ServerOptions options = ServerTest.options(InetAddress.getLoopbackAddress());
    CountDownLatch free = new CountDownLatch(1);
    try (Tsdb db = Tsdb.open("memory:");
        RequestThreads threads = new RequestThreads(1, 1)) {
      EmbeddedChannel channel =
          new EmbeddedChannel(
              new RequestReceiver(head -> new BodyMemory(1_000), options),
              new HttpConnection(shared(db, threads, options)));
      threads.http(false, () -> await(free));
      threads.http(false, () -> await(free)); // now all others are refused

      channel.writeInbound(request("http://test/api/query"));

      assertThat(status(channel)).as("of a query without a start").isEqualTo(400);
      free.countDown();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static Shared shared(Tsdb db, RequestThreads threads, ServerOptions options) {
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

  private static DefaultFullHttpRequest request() {
    return request("/healthz");
  }

  private static DefaultFullHttpRequest request(String target) {
    return new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, target);
  }

  /** Waits for a response. */
  private static int status(EmbeddedChannel channel) {
    FullHttpResponse response = channel.readOutbound();
    while (response == null) {
      channel.runPendingTasks();
      response = channel.readOutbound();
    }
    response.release();
    return response.status().code();
  }
}
