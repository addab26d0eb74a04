package org.hourstone.server.sender;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.hourstone.server.Client;
import org.hourstone.server.Served;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The first time that a point may have is the same by each protocol: OpenTSDB's refuse 0, and a
 * point that another one stored could neither be mirrored nor imported.
 */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class FirstTimeTest {
  /** How a point of the metric {@code m} with the tag {@code h=a} is sent. */
  enum Door {
    TELNET {
      @Override
      void send(Client client, long seconds) throws IOException {
        client.send("put m " + seconds + " 1 h=a\nversion\n");
        client.line();
      }
    },
    PUT("/api/put", "application/json") {
      @Override
      byte[] body(long seconds) {
        return ("{\"metric\":\"m\",\"timestamp\":"
                + seconds
                + ",\"value\":1,\"tags\":{\"h\":\"a\"}}")
            .getBytes(UTF_8);
      }
    },
    LINE_PROTOCOL("/write?precision=s", "text/plain") {
      @Override
      byte[] body(long seconds) {
        return ("m,h=a value=1 " + seconds).getBytes(UTF_8);
      }
    },
    PROMETHEUS_TEXT("/api/import/prometheus", "text/plain") {
      @Override
      byte[] body(long seconds) {
        return ("m{h=\"a\"} 1 " + seconds * 1000 + "\n").getBytes(UTF_8);
      }
    },
    REMOTE_WRITE("/api/v1/write", "application/x-protobuf\r\nContent-Encoding: snappy") {
      @Override
      byte[] body(long seconds) throws IOException {
        ProtoFields series = ProtoFields.series(1, seconds * 1000, "__name__", "m", "h", "a");
        return SentRequest.snappy(new ProtoFields().message(1, series).toBytes());
      }
    },
    OTLP("/v1/metrics", "application/json") {
      @Override
      byte[] body(long seconds) {
        return ("{\"resourceMetrics\":[{\"scopeMetrics\":[{\"metrics\":[{\"name\":\"m\",\"gauge\":"
                + "{\"dataPoints\":[{\"timeUnixNano\":\""
                + (seconds * 1_000_000_000 + 999_999)
                + "\",\"asInt\":\"1\",\"attributes\":[{\"key\":\"h\",\"value\":"
                + "{\"stringValue\":\"a\"}}]}]}}]}]}]}")
            .getBytes(UTF_8);
      }
    };

    private final String uri;
    private final String type;

    Door() {
      this("", "");
    }

    Door(String uri, String type) {
      this.uri = uri;
      this.type = type;
    }

    byte[] body(long seconds) throws IOException {
      throw new IllegalStateException();
    }

    void send(Client client, long seconds) throws IOException {
      client.sendRequest("POST", uri, "Content-Type: " + type + "\r\n", body(seconds));
      client.response();
    }

    String metric() {
      return this == LINE_PROTOCOL ? "m.value" : "m";
    }
  }

  private Served served;

  @BeforeEach
  void start() throws IOException {
    served = Served.start();
  }

  @AfterEach
  void stop() {
    served.close();
  }

  @ParameterizedTest
  @EnumSource
  void zeroIsRefused(Door door) throws IOException {
    for (long seconds : new long[] {0, 1}) {
      try (Client client = served.connect()) {
        door.send(client, seconds);
      }
    }
    String metric = door.metric();
    assertThat(served.points(metric)).hasSize(1);
    assertThat(served.points(metric).get(0)).startsWith(metric + "{h=a} 1").doesNotContain("} 0 ");
  }
}
