package org.hourstone.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LineSourceTest {
  private static List<String> lines(InputStream in) throws IOException {
    LineSource source = new LineSource(in);
    List<String> lines = new ArrayList<>();
    for (String line = source.next(); line != null; line = source.next()) {
      lines.add(source.problem() == null ? line : "!" + source.problem());
      assertThat(source.lineNumber()).isEqualTo(lines.size());
    }
    return lines;
  }

  private static InputStream bytes(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void linesEndWithAndWithoutCarriageReturnAndTheLastNeedsNoEnd() throws IOException {
    assertThat(lines(bytes("a\r\nb\n\nc"))).containsExactly("a", "b", "", "c");
    assertThat(lines(bytes("a\n"))).containsExactly("a");
    assertThat(lines(bytes(""))).isEmpty();
  }

  @Test
  void linesLongerThanABufferAreWhole() throws IOException {
    Random random = new Random(3);
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      expected.add("é".repeat(random.nextInt(3000)) + i);
    }
    assertThat(lines(bytes(String.join("\n", expected)))).isEqualTo(expected);
  }

  @Test
  void aLineTooLongIsAProblemAndTheNextIsRead() throws IOException {
    assertThat(lines(bytes("x".repeat(300_000) + "\nnext\n")))
        .containsExactly("!line of more than 65536 bytes", "next");
    assertThat(lines(bytes("x".repeat(65537)))).containsExactly("!line of more than 65536 bytes");
    assertThat(lines(bytes("x".repeat(65536)))).hasSize(1).noneMatch(l -> l.startsWith("!"));
  }

  @Test
  void bytesThatAreNotUtf8AreAProblem() throws IOException {
    byte[] latin1 = "a\ncaf\u00e9\nb\n".getBytes(StandardCharsets.ISO_8859_1);
    assertThat(lines(new ByteArrayInputStream(latin1)))
        .containsExactly("a", "!not UTF-8 text", "b");
  }

  @Test
  void aLineCutOffByAnErrorIsNotDelivered() throws IOException {
    InputStream broken =
        new InputStream() {
          @Override
          public int read() throws IOException {
            throw new EOFException("cut");
          }

          @Override
          public int read(byte[] into, int from, int length) throws IOException {
            throw new EOFException("cut");
          }
        };
    LineSource source = new LineSource(new SequenceInputStream(bytes("m 1 1\nm 2 12"), broken));
    assertThat(source.next()).isEqualTo("m 1 1");
    assertThatThrownBy(source::next).isInstanceOf(EOFException.class);
  }
}
