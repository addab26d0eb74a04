package org.hourstone.tsd.terminal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class BarLineTest {
  private final ByteArrayOutputStream screen = new ByteArrayOutputStream();
  private final AtomicBoolean stopped = new AtomicBoolean();
  private final BarLine line = new BarLine(new PrintStream(screen, true, UTF_8), 60, stopped::get);

  @Test
  void replacesTheLineAndDoesNotWrapInANarrowerWindow() {
    line.accept("50 %");
    line.close();

    assertThat(screen.toString(UTF_8)).isEqualTo("\r\u001b[K\u001b[?7l50 %\u001b[?7h\n");
  }

  @Test
  void leavesRoomForWhatATerminalShowsOfCtrlC() {
    assertThat(line.getMaxRenderedLength()).isEqualTo(57);
  }

  @Test
  void isNotDrawnAnyMoreWhenTheProcessIsToEnd() {
    stopped.set(true);

    line.accept("50 %");

    assertThat(screen.size()).isZero();
  }

  @Test
  void aLongNameIsCutToItsEnd() {
    assertThat(BarLine.name("metrics.txt.gz", 80)).isEqualTo("metrics.txt.gz");
    assertThat(BarLine.name("metrics-of-2024-01-31.gz", 60)).isEqualTo("…24-01-31.gz");
    assertThat(BarLine.name("😀😀😀😀-2024-01-31.gz", 60)).isEqualTo("…24-01-31.gz");
  }
}
