package org.hourstone.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Debian's collectd sends values that it is given, by its plugin write_tsdb. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class CollectdTest {
  private static final int VALUES = 500;

  private static final String SERIES = "web01/sensors-cpu/temperature-core0";

  @TempDir Path directory;

  private Path config(Served served) throws IOException {
    return Files.writeString(
        directory.resolve("collectd.conf"),
        """
        Hostname "web01"
        FQDNLookup false
        Interval 1
        WriteThreads 1
        BaseDir "%1$s"
        PIDFile "%1$s/pid"
        TypesDB "/usr/share/collectd/types.db"
        LoadPlugin unixsock
        LoadPlugin write_tsdb
        <Plugin unixsock>
          SocketFile "%1$s/socket"
          DeleteSocket true
        </Plugin>
        <Plugin write_tsdb>
          <Node>
            Host "%2$s"
            Port "%3$d"
            HostTags "status=production"
          </Node>
        </Plugin>
        """
            .formatted(
                directory,
                served.address().getAddress().getHostAddress(),
                served.address().getPort()));
  }

  /**
   * Gives it values, each with its time, and returns when it has written the last one to its
   * buffer: it drops those that still wait for its writing thread when it ends.
   */
  private static void give(Path socket) throws IOException {
    try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      channel.connect(UnixDomainSocketAddress.of(socket));
      BufferedReader replies = new BufferedReader(Channels.newReader(channel, US_ASCII));
      for (int i = 0; i < VALUES; i++) {
        String given =
            "PUTVAL " + SERIES + " interval=1000 " + (1_500_000_000 + i) + ":" + value(i);
        assertThat(ask(given, channel, replies)).startsWith("0 ");
      }
      double written = 0;
      while (written != value(VALUES - 1) && !Thread.currentThread().isInterrupted()) {
        if (ask("GETVAL " + SERIES, channel, replies).startsWith("1 ")) {
          written = Double.parseDouble(replies.readLine().replace("value=", ""));
        }
      }
    }
  }

  private static double value(int i) {
    return i + 0.5;
  }

  private static String ask(String command, SocketChannel channel, BufferedReader replies)
      throws IOException {
    channel.write(ByteBuffer.wrap((command + "\n").getBytes(US_ASCII)));
    return replies.readLine();
  }

  @Test
  void valuesArriveOverItsLongConnection() throws Exception {
    Path collectd = DebianPackage.program("collectd-core", "/usr/sbin/collectd");
    try (Served served = Served.start()) {
      Process process =
          new ProcessBuilder(collectd.toString(), "-f", "-C", config(served).toString())
              .redirectErrorStream(true)
              .redirectOutput(directory.resolve("log").toFile())
              .start();
      try {
        Path socket = directory.resolve("socket");
        while (process.isAlive()
            && !Thread.currentThread().isInterrupted()
            && !Files.exists(socket)) {
          Thread.onSpinWait();
        }
        give(socket);
      } finally {
        process.destroy(); // it sends the rest then
        process.waitFor();
      }
      while (!Thread.currentThread().isInterrupted()
          && served.db().writer().stats().stored() < VALUES) {
        served.db().flush();
      }
      List<String> points = served.points("sensors.cpu.temperature.core0");
      assertThat(points)
          .as(Files.readString(directory.resolve("log")))
          .hasSize(VALUES)
          .contains("sensors.cpu.temperature.core0{fqdn=web01, status=production} 1500000007 7.5");
    }
  }
}
