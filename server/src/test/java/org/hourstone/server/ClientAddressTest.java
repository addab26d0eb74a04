package org.hourstone.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClientAddressTest {
  @ParameterizedTest
  @CsvSource({"127.0.0.1, 127.0.0.1:51234", "::1, [0:0:0:0:0:0:0:1]:51234"})
  void hasBracketsIfItHasColons(String host, String text) {
    assertThat(ClientAddress.of(new InetSocketAddress(host, 51_234))).isEqualTo(text);
  }
}
