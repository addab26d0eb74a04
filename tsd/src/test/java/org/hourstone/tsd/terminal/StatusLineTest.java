package org.hourstone.tsd.terminal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.junit.jupiter.api.Test;

class StatusLineTest {
  private final ByteArrayOutputStream screen = new ByteArrayOutputStream();

  private StatusLine line(boolean terminal, int columns) {
    return new StatusLine(
        new Streams(InputStream.nullInputStream(), screen, screen, terminal, terminal, columns));
  }

  @Test
  void isErasedBeforeAnythingElseIsWritten() throws IOException {
    StatusLine line = line(true, 80);
    OutputStream err = line.before(screen, false);

    line.draw(2);
    err.write("first\n".getBytes(UTF_8));
    err.write('x');
    line.show(() -> "5 points read");
    line.draw(1234);
    line.end();

    assertThat(screen.toString(UTF_8))
        .isEqualTo(
            "\r\u001b[K\u001b[?7lworking (2 s)\u001b[?7h\r\u001b[Kfirst\nx"
                + "\r\u001b[K\u001b[?7l5 points read (1,234 s)\u001b[?7h\r\u001b[K");
    assertThat(line.draw(3)).isFalse();
  }

  @Test
  void endsWhenTheResultIsShownOnTheTerminal() throws IOException {
    StatusLine line = line(true, 80);
    line.draw(2);

    line.before(screen, true).write("result\n".getBytes(UTF_8));

    assertThat(line.draw(3)).isFalse();
    assertThat(screen.toString(UTF_8)).endsWith("\r\u001b[Kresult\n");
  }

  @Test
  void fitsOnTheLineAndDoesNotWrapInANarrowerWindow() {
    StatusLine line = line(true, 20);
    line.show(() -> "a text that is too long");

    line.draw(2);

    assertThat(screen.toString(UTF_8))
        .isEqualTo("\r\u001b[K\u001b[?7la text that is too \u001b[?7h");
  }

  @Test
  void isForTerminalsOnly() {
    assertThat(line(false, 80).draw(2)).isFalse();
    assertThat(screen.size()).isZero();
  }
}
