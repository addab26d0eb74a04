package org.hourstone.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.hourstone.DaemonSettings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.api.request.Build;
import org.hourstone.api.request.Plotter;
import org.hourstone.testkit.LoggedBy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the settings of a mirror may be. */
class MirrorSettingsTest {
  @TempDir Path directory;

  private TsdbOptions mirroring(String url) {
    return TsdbOptions.defaults()
        .with(DaemonSettings.MIRROR, url)
        .with(DaemonSettings.MIRROR_DIRECTORY, directory.resolve("queue").toString());
  }

  @Test
  void theStatisticsAreOnlyThereWithAMirror() throws IOException {
    try (Served second = Served.start();
        Served first = Served.start(mirroring("http://127.0.0.1:" + second.address().getPort()))) {
      assertThat(first.get("/api/stats").body()).contains("tsd.mirror.queue.age_seconds");
      assertThat(second.get("/api/stats").body()).doesNotContain("tsd.mirror");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "ftp://a, http://HOST:PORT",
    "localhost:4242, http://HOST:PORT",
    "http:///x, http://HOST:PORT",
    "http://a b, not a URL",
    "http://a:1?x, http://HOST:PORT",
    "http://u:secret@a:1, hourstone.mirror.credentials",
    "http://u:secret@my_host:1, hourstone.mirror.credentials",
    "http://u:secret#@a:1, hourstone.mirror.credentials"
  })
  void aBadUrlIsRefused(String url, String why) {
    assertThatThrownBy(() -> Served.start(mirroring(url)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("hourstone.mirror")
        .hasMessageContaining(why)
        .hasMessageNotContaining("secret");
  }

  @Test
  void contradictingSettingsAreRefused() throws IOException {
    TsdbOptions good = mirroring("http://127.0.0.1:1");
    assertRefused(good.with(DaemonSettings.MIRROR_DIRECTORY, ""), "hourstone.mirror.directory");
    assertRefused(good.with(DaemonSettings.MODE, "ro"), "tsd.mode=ro");
    String missing = directory.resolve("missing").toString();
    assertRefused(good.with(DaemonSettings.MIRROR_CREDENTIALS, missing), missing);
    String empty = Files.writeString(directory.resolve("empty"), "\n").toString();
    assertRefused(good.with(DaemonSettings.MIRROR_CREDENTIALS, empty), "one line");
    assertRefused(good.with(DaemonSettings.MIRROR_DIRECTORY, empty), "can't be used");
    String marked = Files.writeString(directory.resolve("marked"), "\uFEFFs3cret\n").toString();
    assertRefused(
        good.with(DaemonSettings.MIRROR_CREDENTIALS, marked), "the token has a character");
    try (Served first = Served.start(good)) {
      assertRefused(good, "uses it");
      assertThat(first.get("/healthz").status()).isEqualTo(200);
    }
  }

  @Test
  void aQueueWithoutAServerIsWarnedOf() throws IOException {
    TsdbOptions settings = mirroring("http://127.0.0.1:1").with(DaemonSettings.MIRROR, "");
    try (LoggedBy log = LoggedBy.thisThread("org.hourstone.mirror");
        Served alone = Served.start(settings)) {
      assertThat(log.messages()).hasSize(1);
      assertThat(log.messages().get(0)).contains("only hourstone.mirror.directory is set");
      assertThat(alone.get("/metrics").body()).doesNotContain("hourstone_mirror_");
    }
  }

  private static void assertRefused(TsdbOptions settings, String why) {
    Tsdb db = Tsdb.open("memory:", settings);
    try (db) {
      assertThatThrownBy(
              () ->
                  Server.start(
                      db,
                      Build.of("1.2.3"),
                      ServerTest.options(InetAddress.getLoopbackAddress()),
                      Plotter.none()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("hourstone.mirror")
          .hasMessageContaining(why);
    }
  }
}
