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
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.net.InetAddress;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.hourstone.Tsdb;
import org.hourstone.annotation.Annotation;
import org.hourstone.api.Api;
import org.hourstone.api.request.Build;
import org.hourstone.api.request.Refusals;
import org.hourstone.api.status.RecentFigures;
import org.hourstone.testkit.LoggedBy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A connection of HTTP without a network. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class HttpConnectionTest {
  private static final int MEMORY = 4 << 20;
  private final ServerOptions options = options();
  private final Tsdb db = Tsdb.open("memory:");
  private final RequestThreads threads = new RequestThreads(1, 1);
  private final CountDownLatch free = new CountDownLatch(1);
  private final Api api = new Api(db);
  private final ClientMemory memory = new ClientMemory(MEMORY);
  private final ClientLimits limits = new ClientLimits(MEMORY);
  private final Intake intake = new Intake(limits, false);
  private final EmbeddedChannel channel =
      new EmbeddedChannel(
          intake,
          new RequestReceiver(head -> memory, head -> api.takesParts(head.uri()), options),
          new HttpConnection(
              shared(),
              intake,
              new UnparsedBytes(
                  intake,
                  options.patience().ofResponses(),
                  new HttpCodec(new HttpDecoderConfig()))));

  private static ServerOptions options() {
    ServerOptions usual = ServerTest.options(InetAddress.getLoopbackAddress());
    return new ServerOptions(
        usual.address(),
        usual.maxConnections(),
        new ServerOptions.Bodies(MEMORY, MEMORY),
        usual.maxLine(),
        usual.requests(),
        usual.patience());
  }

  private Shared shared() {
    PrometheusRegistry meters = new PrometheusRegistry();
    return new Shared(
        api,
        new Pages(
            new MetricsPage(db, api, Build.of(""), meters),
            new RecentFigures(db, new Refusals(), InstantSource.system()),
            db::storeState),
        HostNames.of(db.engine().options()),
        Cors.of(db.engine().options()),
        new Authentication(null),
        true,
        new HttpMetrics(meters),
        threads,
        new Connections(1, 1, limits, false),
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
    occupyThread(RequestThreads.Kind.QUERY, new CountDownLatch(1));
    channel.writeInbound(request("/api/suggest?type=metrics"));
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

    channel.writeInbound(request("http://localhost/api/query"));

    assertThat(status()).as("of a query without a start").isEqualTo(400);
  }

  @Test
  void whoeverWatchesTheServerNeedsNoThread() {
    occupyThread();
    occupyThread();

    channel.writeInbound(
        request("/healthz"), request("/readyz?a"), request(), request("/api/dropcaches"));

    assertThat(status()).isEqualTo(200);
    assertThat(status()).isEqualTo(200);
    assertThat(status()).as("of the version").isEqualTo(200);
    FullHttpResponse refusal = responseAfter(0);
    assertThat(refusal.status().code()).as("of another request").isEqualTo(503);
    assertThat(refusal.headers().get(HttpHeaderNames.RETRY_AFTER)).isEqualTo("1");
    refusal.release();
  }

  @Test
  void aRequestWhoseBodyIsArrivingIsAnsweredBeforeTheServerStops() {
    DefaultHttpRequest head =
        new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/api/put");
    head.headers().set(HttpHeaderNames.HOST, "localhost");
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

  private static String points(int bytes) {
    String point =
        "{\"metric\":\"m\",\"timestamp\":1500000000,\"value\":1,\"tags\":{\"h\":\"a\"}},";
    return point.repeat(bytes / point.length() + 1);
  }

  private static DefaultHttpContent content(String text) {
    return new DefaultHttpContent(Unpooled.copiedBuffer(text, UTF_8));
  }

  private static DefaultHttpRequest put() {
    DefaultHttpRequest head =
        new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/api/put");
    head.headers().set(HttpHeaderNames.HOST, "localhost");
    head.headers().set(HttpHeaderNames.TRANSFER_ENCODING, "chunked");
    return head;
  }

  /** Lets the connection go on; the timeout ends whoever repeats that. */
  private void goOn() {
    channel.runPendingTasks();
    assertThat(Thread.interrupted()).as("takes too long").isFalse();
  }

  /** Waits until points of a part of a body are stored. */
  private void awaitStored() {
    while (db.writer().stats().stored() == 0) {
      goOn();
    }
  }

  private void awaitFreeMemory(int bytes) {
    while (!memory.take(bytes)) {
      goOn();
    }
    memory.release(bytes);
  }

  /** Lets time pass until there is a response. */
  private FullHttpResponse responseAfter(long seconds) {
    FullHttpResponse response = channel.readOutbound();
    while (response == null) {
      goOn();
      channel.advanceTimeBy(seconds, TimeUnit.SECONDS);
      channel.runScheduledPendingTasks();
      response = channel.readOutbound();
    }
    return response;
  }

  @Test
  void aBodyThatStopsArrivingIsRefusedAndTellsWhatIsStored() {
    channel.writeInbound(put(), content("[" + points(1 << 20)));
    awaitStored();

    FullHttpResponse response = responseAfter(20);

    assertThat(response.status().code()).isEqualTo(408);
    assertThat(response.content().toString(UTF_8))
        .contains("Request Timeout; ", " points before that were stored");
    response.release();
    awaitFreeMemory(MEMORY);
  }

  @Test
  void aBodyOfWhichSomeIsStoredWaitsIfTooManyRequestsDo() throws InterruptedException {
    channel.writeInbound(put(), content("[" + points(1 << 20)));
    awaitStored();
    awaitFreeMemory(MEMORY - 10_000); // all but the beginning of a point
    CountDownLatch occupied = new CountDownLatch(1);
    occupyThread(occupied);
    occupied.await();
    occupyThread();
    String rest = points(1 << 20);
    channel.writeInbound(
        content(rest),
        new DefaultLastHttpContent(
            Unpooled.copiedBuffer(points(1).replaceFirst(",$", "]"), UTF_8)));
    channel.runPendingTasks();
    assertThat(channel.config().isAutoRead()).isFalse();
    free.countDown();

    FullHttpResponse response = responseAfter(1);

    assertThat(response.status().code()).isEqualTo(204);
    response.release();
    awaitFreeMemory(MEMORY);
  }

  @Test
  void aClientThatLeavesDuringItsResponseLeavesNothingInTheLog() throws Exception {
    try (LoggedBy netty = LoggedBy.anyThread("io.netty")) {
      occupyThread();
      channel.writeInbound(request("/s/uPlot.iife.min.js"));
      channel.unsafe().outboundBuffer().setUserDefinedWritability(1, false);
      var unused = channel.close();
      free.countDown();
      awaitFreeThread();
      channel.runPendingTasks();

      assertThat(netty.records()).isEmpty();
    }
  }

  /** Waits until the requests that were received have ended. */
  private void awaitFreeThread() throws InterruptedException {
    CountDownLatch last = new CountDownLatch(1);
    while (last.getCount() > 0) {
      try {
        threads.http(RequestThreads.Kind.OTHER, last::countDown);
        last.await();
      } catch (RejectedExecutionException e) {
        goOn(); // a request waits
      }
    }
  }

  /** Lets a thread of small requests wait. */
  private void occupyThread() {
    occupyThread(new CountDownLatch(1));
  }

  private void occupyThread(CountDownLatch occupied) {
    occupyThread(RequestThreads.Kind.OTHER, occupied);
  }

  private void occupyThread(RequestThreads.Kind kind, CountDownLatch occupied) {
    threads.http(
        kind,
        () -> {
          occupied.countDown();
          try {
            free.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
  }

  /** What can be requested again is refused; a response to a write is not. */
  @Test
  void aLongResponseNeedsRoom() {
    String uri = "/api/annotation?start_time=1500000000";
    db.annotations().save(new Annotation("", 1_500_000_000, 0, "", "x".repeat(6_000), null), true);
    limits.bodies(true).takeAnyway(MEMORY);

    channel.writeInbound(request(uri));
    assertThat(begunStatus()).isEqualTo(503);
    channel.writeInbound(request("/api/stats"));
    assertThat(begunStatus()).as("the state of the server").isEqualTo(200);
    channel.writeInbound(request(uri + "&description=d").setMethod(HttpMethod.POST));
    assertThat(begunStatus()).isEqualTo(200);
    while (limits.bodies(true).taken() != MEMORY) { // its room is given back a moment later
      channel.runPendingTasks();
    }

    limits.bodies(true).release(MEMORY);
    channel.writeInbound(request(uri));
    assertThat(begunStatus()).isEqualTo(200);
    assertThat(limits.statistics())
        .anyMatch(each -> each.tags().containsValue("response_body") && each.value() == 1);
  }

  private static DefaultFullHttpRequest request() {
    return request("/api/version");
  }

  private static DefaultFullHttpRequest request(String target) {
    var request = new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, target);
    request.headers().set(HttpHeaderNames.HOST, "localhost");
    return request;
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

  /** Waits for a response to end; it may be in chunks. */
  private int begunStatus() {
    int status = 0;
    while (true) {
      Object part = channel.readOutbound();
      if (part == null) {
        channel.runPendingTasks();
      }
      status = part instanceof HttpResponse response ? response.status().code() : status;
      ReferenceCountUtil.release(part);
      if (part instanceof LastHttpContent) {
        return status;
      }
    }
  }
}
