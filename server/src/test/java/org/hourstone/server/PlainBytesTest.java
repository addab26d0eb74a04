package org.hourstone.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A body is decompressed while it arrives as it is when it has arrived. */
class PlainBytesTest {
  private final Random random = new Random(7);

  private byte[] text(int bytes) {
    byte[] text = new byte[bytes];
    random.nextBytes(text);
    Arrays.fill(text, 0, random.nextInt(bytes), (byte) 'x'); // some of it is compressed well
    return text;
  }

  private static byte[] compressed(String kind, byte[] plain) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    int half = plain.length / 2;
    switch (kind) {
      case "gzip" -> {
        write(new GZIPOutputStream(bytes), plain, 0, half);
        write(new GZIPOutputStream(bytes), plain, half, plain.length);
        bytes.write(new byte[300]);
      }
      case "zlib" -> write(new DeflaterOutputStream(bytes), plain, 0, plain.length);
      case "deflate" ->
          write(
              new DeflaterOutputStream(bytes, new Deflater(Deflater.BEST_SPEED, true)),
              plain,
              0,
              plain.length);
      default -> bytes.write(plain);
    }
    return bytes.toByteArray();
  }

  private static void write(OutputStream to, byte[] plain, int from, int end) throws IOException {
    try (to) {
      to.write(plain, from, end - from);
    }
  }

  /** Reads all of it, in parts of random sizes. */
  private byte[] plain(String encoding, byte[] bytes, int largest) throws IOException {
    ByteArrayOutputStream plain = new ByteArrayOutputStream();
    byte[] piece = new byte[5_000];
    try (PlainBytes in = new PlainBytes(encoding)) {
      int from = 0;
      while (from < bytes.length) {
        int to = Math.min(bytes.length, from + 1 + random.nextInt(largest));
        ByteBuf part = Unpooled.copiedBuffer(bytes, from, to - from);
        in.add(part, to == bytes.length);
        for (int count = in.read(piece); count >= 0; count = in.read(piece)) {
          plain.write(piece, 0, count);
        }
        assertThat(in.left()).isLessThanOrEqualTo(to == bytes.length ? 0 : 64 * 1024);
        from = to;
      }
    }
    return plain.toByteArray();
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "zlib", "deflate", "identity"})
  void partsOfAnySizeAreDecompressedToTheSame(String kind) throws IOException {
    for (int i = 0; i < 20; i++) {
      byte[] text = text(1 + random.nextInt(1 << 20));
      byte[] bytes = compressed(kind, text);
      String encoding = kind.equals("zlib") ? "deflate" : kind;

      assertThat(plain(encoding, bytes, 200_000)).isEqualTo(text);
      assertThat(plain(encoding, bytes, 3_000)).isEqualTo(text);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "deflate"})
  void whatIsWrongIsFoundInParts(String kind) throws IOException {
    byte[] bytes = compressed(kind, text(500_000));
    byte[] more = Arrays.copyOf(bytes, bytes.length + 100_000);
    byte[] other = "this is not compressed ".repeat(20_000).getBytes(UTF_8);
    more[more.length - 1] = 1;

    assertThatThrownBy(() -> plain(kind, more, 50_000)).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> plain(kind, other, 50_000)).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> plain(kind, Arrays.copyOf(bytes, 100_000), 50_000))
        .isInstanceOf(IOException.class);
  }

  @Test
  void nothingIsNothing() throws IOException {
    assertThat(plain("gzip", new byte[0], 1)).isEmpty();
    try (PlainBytes in = new PlainBytes("gzip")) {
      in.add(Unpooled.EMPTY_BUFFER, true);
      assertThat(in.read(new byte[1])).isNegative();
    }
  }

  @Test
  void manyPartsWithoutContentAreReadWhileTheyArrive() throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    write(new GZIPOutputStream(packed), new byte[0], 0, 0);
    byte[] empty = packed.toByteArray();
    packed.reset();
    for (int i = 0; i < 60_000; i++) {
      packed.write(empty);
    }
    write(new GZIPOutputStream(packed), new byte[] {'x'}, 0, 1);

    assertThat(plain("gzip", packed.toByteArray(), 100_000)).isEqualTo(new byte[] {'x'});
  }
}
