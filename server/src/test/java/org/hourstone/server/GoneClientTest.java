package org.hourstone.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.api.request.Build;
import org.hourstone.api.request.Plotter;
import org.hourstone.kv.Family;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.KeyValueStores;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.Scan;
import org.hourstone.kv.StoreOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A query ends with its client, but not because its client sends nothing more. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class GoneClientTest {
  private static final String QUERY = "/api/query?start=1500000000&end=1500010000&m=none:m";

  private final CountDownLatch reading = new CountDownLatch(1);
  private final CountDownLatch released = new CountDownLatch(1);

  private Tsdb open(KeyValueStore store) {
    Tsdb db =
        Tsdb.over(
            new ForwardingStore(store) {
              @Override
              public RowCursor scan(Family family, Scan scan) {
                if (family.equals(TsdbOptions.defaults().tables().points())) {
                  reading.countDown();
                  try {
                    released.await();
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                }
                return super.scan(family, scan);
              }
            },
            TsdbOptions.defaults()
                .with(Settings.INDEX_ENABLE, "false")
                .with(Settings.SALT_CHECK, "false")); // it reads when the database is opened
    db.put("m", Instant.ofEpochSecond(1_500_000_000), 1, Tags.of("host", "a")).join();
    return db;
  }

  private static int openConnections(Client telnet) throws IOException {
    telnet.send("stats\nversion\n");
    int open = -1;
    for (String line = telnet.line(); !line.startsWith("hourstone "); line = telnet.line()) {
      if (line.startsWith("tsd.connectionmgr.connections ") && line.contains("type=open")) {
        open = Integer.parseInt(line.split(" ")[2]);
      }
    }
    return open;
  }

  @Test
  void aQueryIsAnsweredOrEndedAsItsClientWaitsOrHasGone() throws Exception {
    try (KeyValueStore store =
            KeyValueStores.open("memory:", new StoreOptions(TsdbOptions.defaults().clock()));
        Tsdb db = open(store);
        Server server =
            Server.start(
                db,
                Build.of("1"),
                ServerTest.options(InetAddress.getLoopbackAddress()),
                Plotter.none());
        Client waiting = new Client(server.address());
        Client other = new Client(server.address())) {
      Client gone = new Client(server.address());
      gone.sendRequest("GET", QUERY, "", new byte[0]);
      waiting.sendRequest("GET", QUERY, "", new byte[0]);
      waiting.endOfInput();
      reading.await();
      assertThat(openConnections(other)).isEqualTo(3);

      gone.close();

      while (openConnections(other) == 3) {
        Thread.onSpinWait(); // until it is noticed
      }
      assertThat(waiting.line()).isEqualTo("HTTP/1.1 102 Processing");
      released.countDown();
      assertThat(waiting.rest()).contains("HTTP/1.1 200 OK").endsWith("{\"1500000000\":1}}]");
    } finally {
      released.countDown();
    }
  }
}
