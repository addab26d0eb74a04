package org.hourstone.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import org.hourstone.Tsdb;
import org.hourstone.api.ApiAnswer;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.KeyValueStores;
import org.hourstone.testing.golden.GoldenHttpContract;
import org.hourstone.testing.golden.RequestPort;
import org.hourstone.testkit.StoreFixture;

/** The recorded requests, over the network. */
class ServerGoldenHttpTest extends GoldenHttpContract {
  @Override
  protected KeyValueStore open(StoreFixture fixture) {
    return KeyValueStores.open("memory:", fixture.options());
  }

  @Override
  protected RequestPort serve(Tsdb database) {
    try {
      return new Port(
          Server.start(database, "test", ServerTest.options(InetAddress.getLoopbackAddress())));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private record Port(Server server) implements RequestPort {
    @Override
    public ApiAnswer http(String method, String uri, String body) {
      try {
        Client.Response response = Client.request(server.address(), method, uri, body);
        return new ApiAnswer(response.status(), response.body());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public String telnet(String line) {
      try (Client client = new Client(server.address())) {
        client.send(line + "\n");
        client.endOfInput();
        return client.rest();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void close() {
      server.close();
    }
  }
}
