package org.hourstone.api.prometheus;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.api.Api;
import org.hourstone.api.prometheus.RemoteMessages.Sample;
import org.hourstone.api.proto.UnreadableException;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.api.request.Disconnection;
import org.hourstone.api.request.Role;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.store.ModelStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** The API as a Prometheus uses it, over a database on the heap. */
abstract class RemoteStorageCase {
  static final long HOUR = 1_500_001_200_000L;
  static final String V2 = "application/x-protobuf;proto=io.prometheus.write.v2.Request";

  final ManualClock clock = new ManualClock(Instant.ofEpochMilli(HOUR));
  private KeyValueStore store;
  Tsdb db;
  Api api;

  TsdbOptions options() {
    return TsdbOptions.defaults()
        .with(Settings.COMPACTION_BACKGROUND, "false")
        .with(Settings.AUTO_CREATE_METRICS, "true")
        .withClock(clock);
  }

  @BeforeEach
  final void open() {
    open(new ModelStore(clock), options());
  }

  final void open(KeyValueStore opened, TsdbOptions options) {
    store = opened;
    db = Tsdb.over(store, options);
    api = new Api(db);
  }

  @AfterEach
  final void close() {
    db.close();
    store.close();
  }

  final ApiResponse post(String uri, String type, byte[] body) {
    return api.respond("POST", uri, type, body, new Disconnection(), Role.all());
  }

  final ApiResponse write(byte[] body) {
    return post("/api/v1/write", "application/x-protobuf", body);
  }

  final void assertWritten(byte[] body) {
    ApiResponse response = write(body);
    assertThat(response.status()).as(response.body()).isEqualTo(204);
  }

  /** What a request reads; it must succeed. */
  final List<Map<SortedMap<String, String>, List<Sample>>> read(String uri, byte[] request) {
    try (ApiResponse response = post(uri, "application/x-protobuf", request)) {
      assertThat(response.status()).as(response::toString).isEqualTo(200);
      assertThat(response.headers()).containsEntry("Content-Encoding", "snappy");
      assertThat(response.contentType()).isEqualTo("application/x-protobuf");
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      response.writeTo(out);
      byte[] plain = new byte[(int) SnappyBlock.length(out.toByteArray())];
      SnappyBlock.decompress(out.toByteArray(), plain);
      return RemoteMessages.results(plain);
    } catch (UnreadableException e) {
      throw new AssertionError(e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** All series of all time. */
  final Map<SortedMap<String, String>, List<Sample>> all(String uri) {
    RemoteMessages.Fields any =
        RemoteMessages.matcher(LabelMatcher.Type.RE, LabelSets.METRIC, ".+");
    return read(uri, RemoteMessages.read(RemoteMessages.query(0, Long.MAX_VALUE, any))).get(0);
  }

  /** What was skipped, by its type. */
  final String skipped() {
    return api.statistics().stream()
        .filter(each -> each.metric().equals("tsd.door.skipped"))
        .map(each -> each.tags().get("type") + "=" + each.value())
        .sorted()
        .toList()
        .toString();
  }
}
