package org.hourstone.server;

import io.netty.channel.Channel;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/** The address of a client, for log lines. */
final class ClientAddress {
  private ClientAddress() {}

  /** Such as {@code 127.0.0.1:51234} or {@code [0:0:0:0:0:0:0:1]:51234}. */
  static String of(Channel channel) {
    return of(channel.remoteAddress());
  }

  static String of(@Nullable SocketAddress client) {
    if (!(client instanceof InetSocketAddress address)) {
      return "unknown";
    }
    String host = address.getAddress().getHostAddress();
    return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + address.getPort();
  }
}
