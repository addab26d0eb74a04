package org.hourstone.tsd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
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

  @Test
  void aHangUpLetsItReadItsAccountsAgain() throws Exception {
    Path accounts = Files.writeString(directory.resolve("accounts"), "# none\n");
    DaemonProcess.Launch launch =
        DaemonProcess.Launch.of(
            DaemonProcess.Launch.settings(
                Map.of(
                    "tsd.core.authentication.enable",
                    "true",
                    "hourstone.auth.file",
                    accounts.toString())));
    try (DaemonProcess daemon =
        DaemonProcess.start("rocksdb:" + directory.resolve("store"), launch)) {
      assertThat(status(daemon)).isEqualTo(401);
      Files.writeString(accounts, Accounts.tokenLine("new", "read", "added") + "\n");
      String pid = Long.toString(daemon.process().pid());
      Process kill = new ProcessBuilder(List.of("kill", "-HUP", pid)).inheritIO().start();
      assumeTrue(kill.waitFor() == 0, "SKIPPED, there is no kill");
      while (daemon.process().isAlive() && status(daemon) != 200) {
        Thread.onSpinWait();
      }
      assertThat(daemon.process().isAlive()).isTrue();
      daemon.process().destroy();
      assertThat(daemon.awaitEnd()).isZero();
    }
  }
}
