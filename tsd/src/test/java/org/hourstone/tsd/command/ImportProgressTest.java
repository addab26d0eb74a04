package org.hourstone.tsd.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.InstantSource;
import org.hourstone.tsd.CommandRun;
import org.hourstone.tsd.RootCommand;
import org.hourstone.tsd.session.Progress;
import org.hourstone.tsd.session.Session;
import org.hourstone.tsd.terminal.Streams;
import org.junit.jupiter.api.Test;

class ImportProgressTest {
  @Test
  void theBarFollowsLinesThatAreReadManyAtATime() throws IOException {
    ByteArrayOutputStream screen = new ByteArrayOutputStream();
    Streams streams = new Streams(InputStream.nullInputStream(), screen, screen, true, true, 80);
    Session session = new Session(new RootCommand(), streams, InstantSource.fixed(CommandRun.NOW));
    Progress bar = Progress.of(session, true);
    ImportProgress progress = new ImportProgress(session, bar, false, null, null);
    byte[] text = "m 1 1 a=b\n".getBytes(UTF_8);
    try (ImportInput input =
        ImportInput.open("points", 2L * text.length, new ByteArrayInputStream(text))) {
      progress.start(input);
      input.lines().readAllBytes();

      progress.read(999);
      progress.read(2);
      bar.close(); // as it is at this time

      assertThat(screen.toString(UTF_8)).contains("10/20 B");
    }
  }
}
