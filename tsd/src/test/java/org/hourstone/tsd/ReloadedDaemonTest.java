package org.hourstone.tsd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.hourstone.server.Accounts;
import org.hourstone.server.Client;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A daemon that gets SIGHUP reads its accounts again, and goes on. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
@EnabledOnOs({OS.LINUX, OS.MAC})
class ReloadedDaemonTest {
  @TempDir Path directory;

  private static int status(DaemonProcess daemon) throws IOException {
    try (Client client = new Client(daemon.address())) {
      client.sendRequest("GET", "/api/version", "X-Access-Token: added\r\n", new byte[0]);
      return client.response().status();
    }
  }

  private static DaemonProcess.Launch launch(Path accounts, Redirect log) {
    return new DaemonProcess.Launch(
        "256m",
        Map.of(),
        DaemonProcess.Launch.settings(
            Map.of(
                "tsd.core.authentication.enable",
                "true",
                "hourstone.auth.file",
                accounts.toString())),
        log);
  }

  /**
   * Where a build ignores hang-ups, as after {@code nohup}, so does a daemon, and what is waited
   * for never happens.
   */
  static void checkTime() throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException("the time of the test is over");
    }
    Thread.onSpinWait();
  }

  static void hangUp(Process daemon) throws Exception {
    String pid = Long.toString(daemon.pid());
    Process kill = new ProcessBuilder(List.of("kill", "-HUP", pid)).inheritIO().start();
    assumeTrue(kill.waitFor() == 0, "SKIPPED, there is no kill");
  }

  @Test
  void aHangUpWhileItStartsDoesNotEndIt() throws Exception {
    Path accounts = Files.writeString(directory.resolve("accounts"), "# none\n");
    Path log = directory.resolve("log");
    Process process =
        DaemonProcess.begin(
            "rocksdb:" + directory.resolve("store"), launch(accounts, Redirect.to(log.toFile())));
    while (process.isAlive() && !Files.readString(log).contains("no file of settings")) {
      checkTime();
    }
    hangUp(process);
    try (DaemonProcess daemon = DaemonProcess.serving(process)) {
      assertThat(status(daemon)).isEqualTo(401);
      assertThat(Files.readString(log)).contains("reloaded: " + accounts);
    }
  }

  @Test
  void aHangUpLetsItReadItsAccountsAgain() throws Exception {
    Path accounts = Files.writeString(directory.resolve("accounts"), "# none\n");
    try (DaemonProcess daemon =
        DaemonProcess.start(
            "rocksdb:" + directory.resolve("store"), launch(accounts, Redirect.INHERIT))) {
      assertThat(status(daemon)).isEqualTo(401);
      Files.writeString(accounts, Accounts.tokenLine("new", "read", "added") + "\n");
      hangUp(daemon.process());
      while (daemon.process().isAlive() && status(daemon) != 200) {
        checkTime();
      }
      assertThat(daemon.process().isAlive()).isTrue();
      daemon.process().destroy();
      assertThat(daemon.awaitEnd()).isZero();
    }
  }
}
