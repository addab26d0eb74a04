package org.hourstone.tsd.session;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.time.InstantSource;
import org.hourstone.tsd.CommandRun;
import org.hourstone.tsd.RootCommand;
import org.hourstone.tsd.terminal.Streams;
import org.junit.jupiter.api.Test;

class SessionTest {
  private final ByteArrayOutputStream screen = new ByteArrayOutputStream();

  private Session session(boolean terminal) {
    Streams streams =
        new Streams(InputStream.nullInputStream(), screen, screen, terminal, terminal, 80);
    return new Session(new RootCommand(), streams, InstantSource.fixed(CommandRun.NOW));
  }

  @Test
  void aStopErasesTheStatusLineAndItIsNotDrawnAgain() {
    Session session = session(true);
    session.status().draw(2);
    screen.reset();

    session.ending().stop();

    assertThat(screen.toString(UTF_8)).isEqualTo("\r\u001b[K");
    assertThat(session.status().draw(3)).isFalse();
  }

  @Test
  void aStopEndsTheLineOfWhateverElseIsOnTheTerminal() {
    session(true).ending().stop();

    assertThat(screen.toString(UTF_8)).isEqualTo("\n");
  }

  @Test
  void aStopShowsHowFarTheCommandHasCome() {
    Session session = session(false);
    session.ending().whenStopped(() -> "5 points stored");

    session.ending().stop();

    assertThat(screen.toString(UTF_8)).isEqualTo("5 points stored\n");
  }

  @Test
  void anEndedCommandIsNotStopped() {
    Session session = session(true);
    session.ending().whenStopped(() -> "5 points stored");
    session.ending().end(0);

    session.ending().stop();

    assertThat(screen.size()).isZero();
  }
}
