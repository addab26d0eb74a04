package org.hourstone.bench;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.util.Map;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.opentsdb.OpenTsdbProcess;

/** OpenTSDB, by telnet over one connection; it compacts nothing. */
final class OpenTsdbRoute implements HBaseRoute {
  private static final int POLL_MILLIS = 10;

  private final OpenTsdbProcess process;

  OpenTsdbRoute(String uri, KeyValueStore store, String table, boolean appends) {
    Tsdb.over(store, Form.SINGLE.options().with(Settings.DATA_TABLE, table)).close(); // makes it
    this.process = start(uri, table, appends);
  }

  /** Starts an OpenTSDB over a data table and the UIDs of all routes. */
  static OpenTsdbProcess start(String uri, String table, boolean appends) {
    return OpenTsdbProcess.start(
        uri,
        Map.of(
            "tsd.storage.hbase.data_table",
            table,
            "tsd.storage.enable_compaction",
            "false",
            "tsd.storage.enable_appends",
            "" + appends),
        "-Xmx1g");
  }

  @Override
  public void write(TelnetLines lines) throws IOException {
    try (Socket socket = new Socket(process.address().getAddress(), process.address().getPort());
        OutputStream out = new BufferedOutputStream(socket.getOutputStream(), 1 << 16);
        BufferedReader in =
            new BufferedReader(new InputStreamReader(socket.getInputStream(), US_ASCII))) {
      for (byte[] line : lines.lines()) {
        out.write(line);
        out.write('\n');
      }
      out.write("version\n".getBytes(US_ASCII)); // lines are carried out one after the other
      out.flush();
      String answer = in.readLine();
      if (answer == null || answer.startsWith("put")) {
        throw new IllegalStateException("OpenTSDB: " + answer);
      }
      awaitHBase();
    }
  }

  /** Until nothing is on its way from OpenTSDB to HBase. */
  private void awaitHBase() throws IOException {
    try {
      while (onTheWay() > 0) {
        Thread.sleep(POLL_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  private long onTheWay() throws IOException {
    long sum = 0;
    try (HttpConnection connection = new HttpConnection(process.address().getPort())) {
      byte[] stats = connection.ask(HttpConnection.get("/api/stats/region_clients"));
      for (JsonNode region : Peer.json(stats)) {
        for (String waiting : new String[] {"rpcsInFlight", "pendingRPCs", "pendingBatchedRPCs"}) {
          sum += Math.max(0, region.required(waiting).asLong()); // -1 for none
        }
      }
    }
    return sum;
  }

  @Override
  public double clientCpu() {
    return process.cpuTime().toNanos() / 1e9;
  }

  @Override
  public void close() {
    process.close();
  }
}
