package org.hourstone.junit;

import java.net.InetSocketAddress;
import java.net.URI;

/** Where the server of a test's database listens, for HTTP and telnet. */
public final class TestServer {
  private final InetSocketAddress address;

  TestServer(InetSocketAddress address) {
    this.address = address;
  }

  /** Its port. */
  public int port() {
    return address.getPort();
  }

  /** Its address, such as {@code 127.0.0.1}. */
  public String host() {
    return address.getAddress().getHostAddress();
  }

  /** Its URI without a path; {@code uri().resolve("/api/version")} is one of a request. */
  public URI uri() {
    String host = host();
    return URI.create("http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port());
  }

  @Override
  public String toString() {
    return uri().toString();
  }
}
