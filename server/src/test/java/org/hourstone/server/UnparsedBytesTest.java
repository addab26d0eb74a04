package org.hourstone.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class UnparsedBytesTest {
  private static final int ROOM = 60_000;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final ClientLimits limits = new ClientLimits(4 * ROOM);
  private final ClientMemory memory = limits.unhandled();
  private final Intake intake = new Intake(limits, false);
  private final HttpCodec codec =
      new HttpCodec(
          new HttpDecoderConfig()
              .setHeadersFactory(BoundedHeaders.factory())
              .setTrailersFactory(BoundedHeaders.factory()));
  private final UnparsedBytes heads = new UnparsedBytes(intake, PATIENCE, codec);
  private final EmbeddedChannel channel =
      new EmbeddedChannel(intake, heads, codec, heads.afterCodec());

  @BeforeEach
  void stopTheClock() {
    channel.freezeTime();
  }

  @AfterEach
  void close() {
    var unused = channel.finishAndReleaseAll();
    assertThat(memory.take(ROOM)).as("all room is free in the end").isTrue();
  }

  private void receive(String text) {
    channel.writeInbound(Unpooled.copiedBuffer(text, US_ASCII));
  }

  /** The number of parts that the codec has made. */
  private int parts() {
    int parts = 0;
    for (Object part = channel.readInbound(); part != null; part = channel.readInbound()) {
      parts++;
      ReferenceCountUtil.release(part);
    }
    return parts;
  }

  private int free() {
    int free = ROOM;
    while (!memory.take(free)) {
      free--;
    }
    memory.release(free);
    return free;
  }

  private static HttpResponseStatus status(HttpObject refused) {
    return ((UnparsedBytes.RefusedException) refused.decoderResult().cause()).status();
  }

  private void pass(Duration time) {
    channel.advanceTimeBy(time.toMillis(), TimeUnit.MILLISECONDS);
    channel.runScheduledPendingTasks();
  }

  /** No head has been refused for its time, but one will be after so much more. */
  private void assertRefusedAfter(Duration time) {
    pass(time.minusMillis(1));
    assertThat(parts()).isZero();
    pass(Duration.ofMillis(1));
    pass(Duration.ofMillis(100)); // its bytes have earned a part of that
    HttpObject refused = channel.readInbound();
    assertThat(status(refused)).isEqualTo(HttpResponseStatus.REQUEST_TIMEOUT);
    pass(PATIENCE.multipliedBy(3));
    assertThat(parts()).isZero();
  }

  @Test
  void aHeadThatDoesNotArriveIsRefused() {
    pass(PATIENCE);
    receive("GET /api/version HTTP/1.1\r\n");

    assertRefusedAfter(PATIENCE);
  }

  @Test
  void aHeadThatArrivesByteByByteHasNoMoreTime() {
    for (int i = 0; i < 29; i++) {
      receive("G");
      pass(Duration.ofSeconds(1));
    }

    assertRefusedAfter(Duration.ofSeconds(1));
  }

  @Test
  void betweenRequestsThereIsNoTimeLimit() {
    String post = "POST /a HTTP/1.1\r\nhost:%s\r\ncontent-length: 2\r\n\r\n{}";
    String chunks = "POST /a HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n%s0\r\n\r\n";
    String[] requests = {
      "GET /a HTTP/1.1\r\n\r\n",
      post.formatted(" ".repeat(300)),
      chunks.formatted("1\r\nx\r\n".repeat(2_000)),
    };
    for (String request : requests) {
      for (String part : request.split("(?<=P/1.1\r)")) {
        receive(part);
        pass(PATIENCE.minusMillis(1));
      }
      assertThat(parts()).isGreaterThan(1);
      pass(PATIENCE.multipliedBy(2));
      receive("\r\n"); // as some clients do after a body
      pass(PATIENCE.multipliedBy(2));
      assertThat(parts()).isZero();
    }
  }

  /** How long what frames a request is doesn't show in what has been parsed of it. */
  @Test
  void nothingIsLeftOfARequestHoweverItIsFramed() {
    String head = "POST /a HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n";
    String[] requests = {
      "GET /a HTTP/1.1\r\nhost:" + " ".repeat(2_000) + "test\r\n\r\n",
      head + "00000001\r\nx\r\n".repeat(500) + "0\r\n\r\n",
      head + ("1000\r\n" + "x".repeat(4096) + "\r\n").repeat(500) + "0\r\n\r\n",
      head + ("1;" + "e".repeat(2_000) + "\r\nx\r\n") + "0\r\n\r\n",
      head + "0\r\nafter: " + "x".repeat(2_000) + "\r\n\r\n",
    };
    for (String request : requests) {
      for (int i = 0; i < request.length(); i += ROOM / 2) {
        receive(request.substring(i, Math.min(request.length(), i + ROOM / 2)));
      }
      assertThat(parts()).isGreaterThan(1);
      heads.pause();
      heads.proceed();
      assertThat(free()).isEqualTo(ROOM);
      pass(PATIENCE.multipliedBy(2));
      assertThat(parts()).isZero();
    }
  }

  @Test
  void theTimeOfAHeadEndsWhenItHasArrived() {
    receive("POST /a HTTP/1.1\r\n");
    pass(PATIENCE.minusMillis(1));
    receive("content-length: 2\r\n\r\n");
    pass(PATIENCE.multipliedBy(2));

    assertThat(parts()).as("the head").isEqualTo(1);
  }

  @Test
  void theTimeOfWhatBeginsBehindARequestPassesFromItsNextBytes() {
    receive("GET /a HTTP/1.1\r\n\r\nGE");
    assertThat(parts()).isEqualTo(2);
    pass(PATIENCE.multipliedBy(2));
    receive("T /");

    assertRefusedAfter(PATIENCE);
  }

  @Test
  void theTimeOfManyBytesBehindARequestPassesAtOnce() {
    receive("GET /a HTTP/1.1\r\n\r\nGET /" + "b".repeat(1_500));
    assertThat(parts()).isEqualTo(2);

    assertRefusedAfter(PATIENCE);
  }

  @Test
  void aHeadOfBlanksHasATimeLimitOnceTheyAreMany() {
    receive("GET /a HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\na:");
    assertThat(parts()).isEqualTo(2);
    receive(" ".repeat(1_000));

    assertRefusedAfter(PATIENCE);
  }

  @Test
  void aHeadThatIsNotCompleteHoldsItsBytes() {
    receive("GET / HTTP/1.1\r\na: " + "a".repeat(5_000));
    receive("\r\na: b\r\n");
    assertThat(free()).isEqualTo(ROOM - (5_027 - Intake.OWN));

    receive("\r\n");

    assertThat(parts()).isEqualTo(2);
    assertThat(free()).as("twice its characters").isLessThan(ROOM - (10_000 - Intake.OWN));

    heads.pause();
    heads.proceed();

    assertThat(free()).as("it has its response").isEqualTo(ROOM);
  }

  @Test
  void aBodyIsNotCounted() {
    receive("POST /a HTTP/1.1\r\ncontent-length: 30000\r\n\r\n" + "x".repeat(1_000));
    for (int i = 0; i < 29; i++) {
      receive("x".repeat(1_000));
      assertThat(free()).isEqualTo(ROOM);
    }
    assertThat(parts()).isEqualTo(31);
  }

  @Test
  void smallChunksDoNotAddUp() {
    receive("POST /a HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n");
    for (int i = 0; i < 50; i++) {
      receive("1\r\nx\r\n".repeat(200));
    }
    assertThat(parts()).isEqualTo(1 + 50 * 200);
  }

  @Test
  void whatBeginsBehindARequestIsCounted() {
    receive("GET /a HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\na: " + "b".repeat(4_500));
    receive("b".repeat(300));
    assertThat(free()).isBetween(ROOM - 2_000, ROOM - 1_700);
  }

  @Test
  void withoutRoomAHeadIsMalformedAndTheRestIsDropped() {
    assertThat(memory.take(ROOM)).isTrue();
    receive("GET /a HTTP/1.1\r\na: " + "b".repeat(2_600));
    receive("\r\nc: " + "d".repeat(2_600));
    receive("d".repeat(100));
    HttpObject refused = channel.readInbound();
    assertThat(status(refused)).isEqualTo(HttpResponseStatus.SERVICE_UNAVAILABLE);
    receive("\r\n\r\n");
    assertThat(parts()).isZero();
    memory.release(ROOM);
  }

  @Test
  void aSmallRequestNeedsNoRoom() {
    assertThat(memory.take(ROOM)).isTrue();
    receive("GET /" + "a".repeat(1_000) + " HTTP/1.1\r\nhost:   test  \r\n\r\n");
    assertThat(parts()).isEqualTo(2);
    memory.release(ROOM);
  }

  @Test
  void aCompleteHeadOfManyFieldsIsRefusedWithoutRoom() {
    assertThat(memory.take(ROOM)).isTrue();
    receive("GET / HTTP/1.1\r\n" + "a:\r\n".repeat(200) + "\r\n");
    HttpObject refused = channel.readInbound();
    assertThat(status(refused)).isEqualTo(HttpResponseStatus.SERVICE_UNAVAILABLE);
    assertThat(parts()).isZero();
    memory.release(ROOM);
  }

  @Test
  void oneRequestIsParsedAtATimeAndTheBytesBehindItAreCountedAndNotRead() {
    receive("GET /a HTTP/1.1\r\n\r\n");
    assertThat(parts()).isEqualTo(2);
    heads.pause();

    receive("GET /a HTTP/1.1\r\n\r\n".repeat(300));

    assertThat(parts()).isZero();
    assertThat(free()).isLessThan(ROOM - 300 * 19 + Intake.OWN);
    assertThat(channel.config().isAutoRead()).isFalse();
    pass(PATIENCE.multipliedBy(3));
    for (int i = 0; i < 300; i++) {
      heads.proceed();
      assertThat(channel.<HttpObject>readInbound()).isInstanceOf(HttpRequest.class);
      assertThat(channel.<HttpObject>readInbound()).isInstanceOf(LastHttpContent.class);
      heads.pause();
    }
  }

  @Test
  void aHeadOfTooManyFieldsIsMalformed() {
    String most = "a: b\r\n".repeat(BoundedHeaders.MOST_FIELDS);
    for (int i = 0; i < 2; i++) {
      for (String part : ("GET /a HTTP/1.1\r\n" + most + "\r\n").split("(?<=b\r\n)")) {
        receive(part);
        HttpObject head = channel.readInbound();
        if (head != null) {
          assertThat(head.decoderResult().isSuccess()).isEqualTo(i == 0);
        }
      }
      assertThat(parts()).isEqualTo(i == 0 ? 1 : 0);
      most += "a: b\r\n";
    }
  }
}
