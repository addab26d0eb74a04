package org.hourstone.tsd;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.hourstone.DaemonSettings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.api.request.Build;
import org.hourstone.api.request.Plotter;
import org.hourstone.server.Client;
import org.hourstone.server.Server;
import org.hourstone.server.ServerOptions;
import org.hourstone.testing.golden.RequestPort;

/**
 * A server that requests reach over the network.
 *
 * @param end ends it
 */
record ServerPort(InetSocketAddress address, Runnable end) implements RequestPort {
  private static final ServerOptions OPTIONS =
      ServerOptions.of(
          TsdbOptions.defaults()
              .with(DaemonSettings.BIND, "127.0.0.1")
              .with(DaemonSettings.PORT, "0"));

  /** A server over a database. */
  static ServerPort of(Tsdb database) {
    try {
      Server server = Server.start(database, Build.of("test"), OPTIONS, Plotter.none());
      return new ServerPort(server.address(), server::close);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public Response http(String method, String uri, Map<String, String> headers, String body) {
    StringBuilder lines = new StringBuilder("Connection: close\r\n");
    headers.forEach((name, value) -> lines.append(name + ": " + value + "\r\n"));
    try (Client client = new Client(address)) {
      byte[] sent = body.getBytes(UTF_8);
      client.sendRequest(
          method,
          uri,
          lines.toString(),
          "gzip".equals(headers.get("Content-Encoding")) ? gzip(sent) : sent);
      Client.Response response = client.response();
      return new Response(
          response.status(), response.headers().getOrDefault("content-type", ""), response.body());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] gzip(byte[] plain) throws IOException {
    ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(compressed)) {
      gzip.write(plain);
    }
    return compressed.toByteArray();
  }

  @Override
  public String telnet(String lines) {
    try (Client client = new Client(address)) {
      client.send(lines);
      client.endOfInput();
      return client.rest();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    end.run();
  }
}
