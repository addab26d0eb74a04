package org.hourstone.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.airlift.compress.snappy.SnappyCompressor;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bodies are decompressed within the bounds of one and of all. */
class ReceivedBodyTest {
  private static final int MAX = 100_000;
  private static final String TEXT = "{\"metric\":\"sys.cpu\"}".repeat(200);

  private final ClientMemory memory = new ClientMemory(MAX + 1_000);
  private final ReceivedBody body = new ReceivedBody(memory, MAX);

  @AfterEach
  void allRoomIsFreeInTheEnd() {
    body.release();
    assertThat(memory.take(MAX + 1_000)).isTrue();
  }

  private interface Compression {
    OutputStream to(OutputStream out) throws IOException;
  }

  private static byte[] compressed(byte[] plain, Compression compression) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream out = compression.to(bytes)) {
      out.write(plain);
    }
    return bytes.toByteArray();
  }

  private void receive(byte[] bytes) {
    for (int from = 0; from < bytes.length; from += 100) {
      byte[] part = Arrays.copyOfRange(bytes, from, Math.min(bytes.length, from + 100));
      assertThat(body.add(Unpooled.wrappedBuffer(part))).isNull();
    }
  }

  private static String text(ReceivedBody body, @Nullable String encoding)
      throws ReceivedBody.RefusedException {
    return new String(body.takePlain(encoding), UTF_8);
  }

  private static void assertRefused(ThrowingCallable call, HttpResponseStatus status) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            ReceivedBody.RefusedException.class,
            refused -> assertThat(refused.status()).isEqualTo(status));
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "x-gzip", " GZIP "})
  void gzipIsDecompressed(String encoding) throws Exception {
    receive(compressed(TEXT.getBytes(UTF_8), GZIPOutputStream::new));

    assertThat(text(body, encoding)).isEqualTo(TEXT);
  }

  @ParameterizedTest
  @CsvSource({"deflate, true", "deflate, false", "x-deflate, false"})
  void deflateIsDecompressedWithAndWithoutItsHeader(String encoding, boolean raw) throws Exception {
    receive(
        compressed(
            TEXT.getBytes(UTF_8),
            out -> new DeflaterOutputStream(out, new Deflater(Deflater.BEST_SPEED, raw))));

    assertThat(text(body, encoding)).isEqualTo(TEXT);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "identity", "gzip"})
  void aBodyWithoutBytesIsEmpty(String encoding) throws Exception {
    assertThat(text(body, encoding)).isEmpty();
  }

  @Test
  void snappyIsDecompressed() throws Exception {
    receive(snappy(TEXT.getBytes(UTF_8)));

    assertThat(text(body, "snappy")).isEqualTo(TEXT);
    body.release();
    assertThat(text(body, "snappy")).isEmpty();
  }

  @Test
  void snappyThatIsNoBlockIsRefused() throws Exception {
    byte[] whole = snappy(TEXT.getBytes(UTF_8));
    for (int length = 1; length < whole.length; length++) {
      receive(Arrays.copyOf(whole, length));
      assertRefused(() -> body.takePlain("snappy"), HttpResponseStatus.BAD_REQUEST);
      body.release();
    }
    Random random = new Random(5);
    for (int i = 0; i < 2000; i++) {
      byte[] changed = whole.clone();
      for (int k = random.nextInt(3); k >= 0; k--) {
        changed[random.nextInt(changed.length)] = (byte) random.nextInt();
      }
      receive(changed);
      try {
        assertThat(body.takePlain("snappy").length).isLessThanOrEqualTo(MAX);
      } catch (ReceivedBody.RefusedException e) {
        assertThat(e.status().code()).isIn(400, 413, 503);
        assertThat(e.details()).isNotBlank();
      }
      body.release();
    }
  }

  /** Four gigabytes, as five bytes say, would not be there. */
  @Test
  void theLengthThatSnappySaysIsCheckedFirst() throws Exception {
    receive(new byte[] {-1, -1, -1, -1, 15, 0, 0});
    assertRefused(() -> body.takePlain("snappy"), HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE);
    body.release();
    receive(new byte[] {-1, -1, -1, -1, -1, 15});
    assertRefused(() -> body.takePlain("snappy"), HttpResponseStatus.BAD_REQUEST);
    body.release();

    receive(snappy(new byte[MAX]));
    assertThat(memory.take(1_000)).isTrue();
    assertRefused(() -> body.takePlain("snappy"), HttpResponseStatus.SERVICE_UNAVAILABLE);
    memory.release(1_000);
  }

  private static byte[] snappy(byte[] plain) {
    SnappyCompressor compressor = new SnappyCompressor();
    byte[] block = new byte[compressor.maxCompressedLength(plain.length)];
    return Arrays.copyOf(
        block, compressor.compress(plain, 0, plain.length, block, 0, block.length));
  }

  @Test
  void aBodyThatIsNotCompressedIsTakenAsItIs() throws Exception {
    receive(TEXT.getBytes(UTF_8));

    assertThat(text(body, null)).isEqualTo(TEXT);
  }

  @Test
  void whatIsCutOffOrNotCompressedIsRefused() throws Exception {
    byte[] whole = compressed(TEXT.getBytes(UTF_8), GZIPOutputStream::new);
    receive(Arrays.copyOf(whole, whole.length - 9));

    assertRefused(() -> body.takePlain("gzip"), HttpResponseStatus.BAD_REQUEST);
    body.release();
    receive(TEXT.getBytes(UTF_8));
    assertRefused(() -> body.takePlain("gzip"), HttpResponseStatus.BAD_REQUEST);
    body.release();
    receive(TEXT.getBytes(UTF_8));
    assertRefused(() -> body.takePlain("deflate"), HttpResponseStatus.BAD_REQUEST);
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "deflate"})
  void whatFollowsTheEndIsRefused(String encoding) throws Exception {
    boolean gzip = encoding.equals("gzip");
    byte[] whole =
        compressed(TEXT.getBytes(UTF_8), gzip ? GZIPOutputStream::new : DeflaterOutputStream::new);
    byte[] longer = Arrays.copyOf(whole, whole.length + 2);
    longer[whole.length] = 'x';
    receive(longer);

    assertRefused(() -> body.takePlain(encoding), HttpResponseStatus.BAD_REQUEST);
  }

  @Test
  void gzipOfSeveralPartsIsDecompressedWhole() throws Exception {
    byte[] part = compressed(TEXT.getBytes(UTF_8), GZIPOutputStream::new);
    byte[] both = Arrays.copyOf(part, 2 * part.length);
    System.arraycopy(part, 0, both, part.length, part.length);
    receive(both);
    assertThat(text(body, "gzip")).isEqualTo(TEXT + TEXT);
    body.release();

    receive(Arrays.copyOf(both, part.length + 5));
    assertRefused(() -> body.takePlain("gzip"), HttpResponseStatus.BAD_REQUEST);
  }

  @Test
  void aBodyThatNeedsADictionaryIsRefused() throws Exception {
    Deflater deflater = new Deflater();
    deflater.setDictionary(TEXT.getBytes(UTF_8));
    receive(compressed(TEXT.getBytes(UTF_8), out -> new DeflaterOutputStream(out, deflater)));
    deflater.end();

    assertRefused(() -> body.takePlain("deflate"), HttpResponseStatus.BAD_REQUEST);
  }

  @Test
  void aBodyIsRefusedIfItBecomesTooLarge() throws Exception {
    receive(compressed(new byte[MAX + 1], GZIPOutputStream::new));

    assertRefused(() -> body.takePlain("gzip"), HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE);
  }

  @Test
  void whatItBecomesNeedsRoomBesideOthers() throws Exception {
    receive(compressed(new byte[MAX], GZIPOutputStream::new));
    assertThat(memory.take(2_000)).isTrue();

    assertRefused(() -> body.takePlain("gzip"), HttpResponseStatus.SERVICE_UNAVAILABLE);
    memory.release(2_000);
  }

  @Test
  void theValuesOfABodyNeedRoomForTheirMemory() throws Exception {
    ClientMemory memory = new ClientMemory(10_000_000);
    for (int values : new int[] {20_000, 60_000}) {
      ReceivedBody body = new ReceivedBody(memory, 1_000_000);
      byte[] json = ("[" + "{},".repeat(values) + "{}]").getBytes(UTF_8);
      assertThat(body.add(Unpooled.wrappedBuffer(json))).isNull();
      if (values == 20_000) {
        assertThat(body.takeParsed(null)).hasSize(json.length);
        assertThat(memory.taken()).isGreaterThan(90L * 2 * values);
      } else {
        assertThatThrownBy(() -> body.takeParsed(null))
            .isInstanceOf(ReceivedBody.RefusedException.class)
            .hasMessageContaining("more than 10000000");
      }
      body.release();
      assertThat(memory.taken()).isZero();
    }
  }

  /** A long text is decoded, parsed, stored and sent back, all before the first is released. */
  @Test
  void whatIsMadeOfATextNeedsRoomToo() throws Exception {
    ClientMemory memory = new ClientMemory(11_000_000);
    byte[] json = ('"' + "x".repeat(1_000_000) + '"').getBytes(UTF_8);
    ReceivedBody first = received(memory, json);
    ReceivedBody second = received(memory, json);

    assertThat(first.takeParsed(null)).hasSize(json.length);
    assertThat(memory.taken()).isGreaterThan(8L * json.length);
    assertRefused(() -> second.takeParsed(null), HttpResponseStatus.SERVICE_UNAVAILABLE);
    first.release();
    second.release();
    assertThat(memory.taken()).isZero();
    ReceivedBody third = received(memory, json);
    assertThat(third.takePlain(null)).hasSameSizeAs(json);
    assertThat(memory.taken()).isGreaterThan(memory.size() / 2);
    third.release();
  }

  /** Lists, filters and formulas within a text have elements, too, and so has a query string. */
  @Test
  void theElementsOfListsInTextsNeedRoomForTheirMemory() throws Exception {
    ClientMemory memory = new ClientMemory(9_000_000);
    for (String list : List.of("a|", "+a", "(a)", "a&", "a,", "a.")) {
      byte[] json = ('"' + list.repeat(20_000) + '"').getBytes(UTF_8);
      ReceivedBody body = received(memory, json);
      String text = new String(body.takeParsed(null), UTF_8);
      long taken = memory.taken();
      assertThat(taken).as(list).isGreaterThan(150L * 20_000);
      body.release();

      ReceivedBody none = new ReceivedBody(memory, 10);
      none.reserve(text);
      assertThat(memory.taken()).as(list).isEqualTo(taken - json.length);
      ReceivedBody more = new ReceivedBody(memory, 10);
      String target = "/api/query?" + text.repeat(2);
      assertRefused(() -> more.reserve(target), HttpResponseStatus.SERVICE_UNAVAILABLE);
      assertRefused(
          () -> more.reserve(target.repeat(2)), HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE);
      none.release();
      assertThat(memory.taken()).isZero();
    }
  }

  @Test
  void aShortTargetNeedsNoRoom() throws Exception {
    ReceivedBody none = new ReceivedBody(memory, 10);
    none.reserve("/api/query?start=1h-ago&m=sum:sys.cpu{host=*}");
    assertThat(memory.taken()).isZero();
  }

  private static ReceivedBody received(ClientMemory memory, byte[] bytes) {
    ReceivedBody body = new ReceivedBody(memory, bytes.length);
    assertThat(body.add(Unpooled.wrappedBuffer(bytes))).isNull();
    return body;
  }

  @Test
  void largeBodiesLeaveRoomForSmallOnes() {
    ClientMemory bodies = new ClientLimits(8 << 20).bodies(true);
    List<ReceivedBody> all = new ArrayList<>();
    ReceivedBody.RefusedException refused = null;
    while (refused == null) { // each becomes large only with its second part
      ReceivedBody large = new ReceivedBody(bodies, 1 << 20);
      all.add(large);
      refused = large.add(Unpooled.wrappedBuffer(new byte[1000]));
      refused = refused == null ? large.add(Unpooled.wrappedBuffer(new byte[500_000])) : refused;
    }
    assertThat(refused.status()).isEqualTo(HttpResponseStatus.SERVICE_UNAVAILABLE);
    for (int i = 0; i < 10; i++) {
      ReceivedBody small = new ReceivedBody(bodies, 1 << 20);
      all.add(small);
      assertThat(small.add(Unpooled.wrappedBuffer(new byte[ReceivedBody.SMALL]))).isNull();
    }
    all.forEach(ReceivedBody::release);
    assertThat(bodies.taken()).isZero();
    assertThat(bodies.ofLarge().taken()).isZero();
  }
}
