package org.hourstone.tsd;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.hourstone.server.Client;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A daemon that systemd has started: the program that talks to it is another one here. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
@EnabledOnOs({OS.LINUX, OS.MAC})
class NotifyingDaemonTest {
  @TempDir Path directory;

  private Path log = Path.of("");

  private DaemonProcess start(String program) throws IOException {
    Path programs = Files.createDirectory(directory.resolve("bin"));
    Path file = Files.writeString(programs.resolve("systemd-notify"), "#!/bin/sh\n" + program);
    assertThat(file.toFile().setExecutable(true)).isTrue();
    log = directory.resolve("log");
    return DaemonProcess.start(
        "memory:",
        new DaemonProcess.Launch(
            "256m",
            Map.of(
                "PATH", programs + ":" + System.getenv("PATH"),
                "NOTIFY_SOCKET", directory.resolve("socket").toString(),
                "TOLD", directory.resolve("told").toString()),
            List.of(),
            Redirect.to(log.toFile())));
  }

  private void awaitInLog(DaemonProcess daemon, String text) throws Exception {
    while (daemon.process().isAlive() && !Files.readString(log).contains(text)) {
      ReloadedDaemonTest.checkTime();
    }
    assertThat(Files.readString(log)).contains(text);
  }

  @Test
  void itSaysWhenItServesAndHangUpsDontEndIt() throws Exception {
    try (DaemonProcess daemon = start("printf '%s\\n' \"$@\" >\"$TOLD.tmp\"; mv $TOLD.tmp $TOLD")) {
      Path told = directory.resolve("told");
      while (daemon.process().isAlive() && !Files.exists(told)) {
        ReloadedDaemonTest.checkTime();
      }
      assertThat(told)
          .hasContent(
              "--ready\n--status=serving memory: on 127.0.0.1:" + daemon.address().getPort());

      ReloadedDaemonTest.hangUp(daemon.process());
      awaitInLog(daemon, "reloaded: no files");
      daemon.process().destroy();
      assertThat(daemon.awaitEnd()).isZero();
    }
  }

  @Test
  void itServesAlsoIfThatFails() throws Exception {
    try (DaemonProcess daemon = start("exit 7")) {
      awaitInLog(daemon, "goes on waiting: systemd-notify ended with status 7");
      assertThat(Client.request(daemon.address(), "GET", "/healthz", "").status()).isEqualTo(200);
    }
  }
}
