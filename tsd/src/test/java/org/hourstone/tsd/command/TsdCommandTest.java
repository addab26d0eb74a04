package org.hourstone.tsd.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import org.hourstone.tsd.CommandRun;
import org.hourstone.tsd.session.ExitCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An error of an option names the option, not the setting that it changes. */
class TsdCommandTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "tsd --port 99999 | hourstone: --port 99999: must be a port, 0 to 65535",
        "tsd --port=-1 | hourstone: --port -1: must be a port, 0 to 65535",
        "tsd --port http | hourstone: Invalid value for option '--port': 'http' is not a whole"
            + " number up to 2147483647",
        "fsck --places 1.5 | hourstone: Invalid value for option '--places': '1.5' is not a whole"
            + " number up to 2147483647",
        "fsck --save a\0b | hourstone: Invalid value for option '--save': 'a\\x00b' can't be the"
            + " name of a file",
        "tsd --bind no.such.invalid | hourstone: --bind no.such.invalid: unknown address",
        "uid --idwidth 9 grep a | hourstone: --idwidth 9: must be a number of bytes, 1 to 8",
      })
  void aWrongValueIsReportedWithItsOption(String command, String error) {
    CommandRun run = CommandRun.of((command + " --store memory:").split(" "));

    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.errLines().get(0)).isEqualTo(error);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--set tsd.network.port=99999 | tsd.network.port=99999: must be",
        "--set hourstone.mirror=http://a:1 | hourstone.mirror needs a directory for its queue",
        "--set hourstone.mirror=x --set hourstone.mirror.directory=y | hourstone.mirror=x: must be",
      })
  void aWrongSettingIsReportedWithItsKey(String setting, String error) {
    CommandRun run = CommandRun.of((setting + " --store memory: tsd").split(" "));

    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE); // so systemd does not start it again
    assertThat(run.err()).startsWith("hourstone: " + error);
  }

  /** It may be there again at the next start. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--set tsd.network.bind=no.such.invalid | tsd.network.bind=no.such.invalid: unknown"
            + " address",
        "--set hourstone.mirror=http://a:1 --set hourstone.mirror.directory=y --set"
            + " hourstone.mirror.credentials=/no/file | hourstone.mirror.credentials=/no/file:"
            + " can't be read",
        "--set hourstone.tls.certificate=/no/file --set hourstone.tls.key=/no/key | can't use the"
            + " certificate /no/file",
        "--set tsd.rollups.enable=true --set tsd.rollups.config=/no/file.json |"
            + " tsd.rollups.config: can't read /no/file.json",
      })
  void whatASettingNamesMayBeMissingForAWhile(String settings, String error) {
    CommandRun run = CommandRun.of((settings + " --store memory: tsd").split(" "));

    assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.FAILED);
    assertThat(run.err()).contains(error);
  }

  @Test
  void aPortInUseIsReportedBeforeAStoreIsCreated(@TempDir Path directory) throws IOException {
    Path data = directory.resolve("data");
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String port = Integer.toString(other.getLocalPort());

      CommandRun run = CommandRun.of("--store", "rocksdb:" + data, "tsd", "--port", port);

      assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
      assertThat(run.err())
          .isEqualTo(
              "hourstone: can't listen on 127.0.0.1:"
                  + port
                  + " (tsd.network.bind, tsd.network.port): Address already in use\n");
      assertThat(data).doesNotExist();
    }
  }

  @Test
  void aFileOfAccountsWithoutAuthenticationIsReported() {
    String[] words =
        "--set hourstone.auth.file=accounts --set tsd.core.authentication.enable=ture --store memory: tsd --bind 192.0.2.1"
            .split(" ");
    assertThat(CommandRun.of(words).err())
        .contains(
            "hourstone.auth.file has no effect: tsd.core.authentication.enable is not true, 1 or"
                + " yes");
  }
}
