package org.hourstone.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import org.hourstone.DaemonSettings;
import org.hourstone.TsdbOptions;
import org.junit.jupiter.api.Test;

class ServerOptionsTest {
  private static InetAddress address(TsdbOptions options) {
    return ServerOptions.of(options).address().getAddress();
  }

  @Test
  void otherMachinesAreServedOnlyIfThatIsConfigured() {
    TsdbOptions options = TsdbOptions.defaults();

    assertThat(address(options).isLoopbackAddress()).isTrue();
    assertThat(address(options.with(DaemonSettings.BIND, "0.0.0.0")).isAnyLocalAddress()).isTrue();
    assertThat(address(TsdbOptions.openTsdbDefaults()).isAnyLocalAddress()).isTrue();
  }

  @Test
  void anUnknownAddressIsRefused() {
    TsdbOptions options = TsdbOptions.defaults().with(DaemonSettings.BIND, "no address");

    assertThatThrownBy(() -> ServerOptions.of(options))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("tsd.network.bind=no address: unknown address");
  }
}
