package org.hourstone.tsd.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.tsd.CommandRun;
import org.hourstone.tsd.RootCommand;
import org.hourstone.tsd.terminal.Streams;
import org.junit.jupiter.api.Test;

class GivenStoreTest {
  private static GivenStore store(String... settings) {
    GlobalOptions global = new RootCommand();
    global.store("memory:");
    global.set(List.of(settings));
    ByteArrayOutputStream screen = new ByteArrayOutputStream();
    Streams streams = new Streams(InputStream.nullInputStream(), screen, screen, false, false, 80);
    return new Session(global, streams, InstantSource.fixed(CommandRun.NOW)).store();
  }

  /** With a daemon's settings, a command would take over its journal. */
  @Test
  void onlyADaemonIsTheWriterOfAJournal() {
    GivenStore store = store("hourstone.head.writer=a", "hourstone.head=true");
    try (Tsdb daemon = store.openAsWriter();
        Tsdb command = store.open()) {
      assertThat(daemon.engine().options().get(Settings.HEAD_WRITER)).isEqualTo("a");
      TsdbOptions others = command.engine().options();
      assertThat(others.get(Settings.HEAD_WRITER)).isEmpty();
      assertThat(others.get(Settings.HEAD)).isEqualTo(Optional.empty());
    }
  }

  @Test
  void otherSettingsOfTheHeadAreThoseGiven() {
    try (Tsdb command = store("hourstone.head=false").open()) {
      assertThat(command.engine().options().get(Settings.HEAD)).contains(false);
    }
  }
}
