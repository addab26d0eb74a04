package org.hourstone.server;

import io.netty.channel.Channel;
import java.net.InetSocketAddress;

/** The address of a client, for log lines. */
final class ClientAddress {
  private ClientAddress() {}

  /** Such as {@code 127.0.0.1:51234}. */
  static String of(Channel channel) {
    return channel.remoteAddress() instanceof InetSocketAddress address
        ? address.getAddress().getHostAddress() + ":" + address.getPort()
        : "unknown";
  }
}
