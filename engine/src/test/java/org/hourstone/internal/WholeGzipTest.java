package org.hourstone.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WholeGzipTest {
  private static byte[] gzip(String text) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return packed.toByteArray();
  }

  private static byte[] join(byte[] one, byte[] other) {
    byte[] both = Arrays.copyOf(one, one.length + other.length);
    System.arraycopy(other, 0, both, one.length, other.length);
    return both;
  }

  private static String unpack(byte[] packed, int buffer) throws IOException {
    try (WholeGzip in = new WholeGzip(new ByteArrayInputStream(packed), buffer)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {16, 17, 31, 64, 65536})
  void partsAndPaddingAreReadToTheEnd(int buffer) throws IOException {
    byte[] two = join(gzip("a".repeat(100)), gzip("b".repeat(100)));
    assertThat(unpack(two, buffer)).isEqualTo("a".repeat(100) + "b".repeat(100));
    assertThat(unpack(join(gzip("a"), new byte[100]), buffer)).isEqualTo("a");
  }

  @ParameterizedTest
  @ValueSource(ints = {16, 17, 31, 64, 65536})
  void whatIsNoGzipAfterAPartIsAnError(int buffer) throws IOException {
    byte[] rubbish = "rubbish after the end".getBytes(StandardCharsets.UTF_8);
    assertThatThrownBy(() -> unpack(join(gzip("a"), rubbish), buffer))
        .isInstanceOf(IOException.class);
    byte[] cut = Arrays.copyOf(gzip("b"), 6);
    assertThatThrownBy(() -> unpack(join(gzip("a"), cut), buffer)).isInstanceOf(IOException.class);
  }

  /** The JDK calls itself for each of them. */
  @Test
  void emptyPartsNeedNoStack() throws IOException {
    byte[] empty = gzip("");
    int parts = 100_000;
    byte[] many = new byte[parts * empty.length];
    for (int i = 0; i < parts; i++) {
      System.arraycopy(empty, 0, many, i * empty.length, empty.length);
    }

    assertThat(unpack(many, 512)).isEmpty();
    assertThat(unpack(join(join(gzip("a"), many), gzip("b")), 512)).isEqualTo("ab");
    try (WholeGzip in = new WholeGzip(new ByteArrayInputStream(join(many, gzip("c"))), 512)) {
      assertThat(in.read()).isEqualTo('c');
      assertThat(in.skip(1)).isZero();
    }
  }

  @Test
  void aPartThatIsCutOffIsAnError() throws IOException {
    byte[] two = join(gzip("a"), gzip("b".repeat(1000)));
    assertThatThrownBy(() -> unpack(Arrays.copyOf(two, two.length - 5), 512))
        .isInstanceOf(IOException.class);
  }
}
