package org.hourstone.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.internal.UidText;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.store.ModelStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the recordings don't show of requests about annotations and metadata. */
class MetadataApiTest {
  private static final long NOW = 1_795_220_727;
  private static final String SERIES = "000001000001000001";

  private final ManualClock clock = new ManualClock(Instant.ofEpochSecond(NOW));
  private final ModelStore store = new ModelStore(clock);
  private final Tsdb db = Tsdb.over(store, TsdbOptions.defaults().withClock(clock));
  private final Api api = new Api(db);

  @AfterEach
  void close() {
    db.close();
    store.close();
  }

  private ApiResponse call(String method, String uri, String body) {
    return api.respond(ApiCall.of(method, uri, body));
  }

  private void put() {
    db.put("m", Instant.ofEpochSecond(1_500_001_200), 1, Tags.of("host", "a")).join();
  }

  @Test
  void aSeriesNamedByItsTagsGetsMetadataIfThatIsAskedFor() {
    put();
    assertThat(call("POST", "/api/uid/tsmeta?m=m{host=a}", "{\"units\":\"ms\"}").status())
        .isEqualTo(400);
    ApiResponse created =
        call("POST", "/api/uid/tsmeta?m=m{host=a}&create=true", "{\"units\":\"ms\"}");
    assertThat(created.status()).isEqualTo(200);
    assertThat(created.body())
        .startsWith("{\"tsuid\":\"000001000001000001\",\"metric\":{\"uid\":\"000001\"")
        .endsWith("\"lastReceived\":" + NOW + ",\"totalDatapoints\":0}");
    assertThat(db.metadata().series().hasCounter(UidText.parse(SERIES))).isTrue();
    assertThat(call("GET", "/api/uid/tsmeta?m=m{host=a}", "").body())
        .isEqualTo("[" + created.body() + "]");
    assertThat(call("GET", "/api/uid/tsmeta?m=m{host=b}", "").status()).isEqualTo(404);
  }

  @Test
  void changesCanBeGivenAsParameters() {
    put();
    assertThat(
            call("GET", "/api/uid/uidmeta?method_override=post&uid=000001&type=tagk&notes=n", "")
                .body())
        .contains("\"name\":\"host\",\"description\":\"\",\"notes\":\"n\"");
    assertThat(call("POST", "/api/annotation?start_time=1500001300&description=d", "").body())
        .isEqualTo(
            "{\"tsuid\":\"\",\"description\":\"d\",\"notes\":\"\","
                + "\"startTime\":1500001300,\"endTime\":0}");
  }

  @Test
  void globalAnnotationsAreListedUpToNowWithoutAnEnd() {
    call("POST", "/api/annotation", "{\"startTime\":1500001300,\"description\":\"d\"}");
    assertThat(call("GET", "/api/annotations?start_time=1500001200", "").body())
        .contains("\"startTime\":1500001300");
  }

  @Test
  void aRangeCanBeDeletedByParameters() {
    call("POST", "/api/annotation", "{\"startTime\":1500001300,\"description\":\"d\"}");
    assertThat(call("DELETE", "/api/annotation/bulk?start_time=1500001200&global", "").body())
        .isEqualTo(
            "{\"tsuids\":null,\"global\":true,\"startTime\":1500001200000,\"endTime\":"
                + NOW
                + "000,\"totalDeleted\":1}");
    assertThat(call("DELETE", "/api/annotation/bulk", "{\"global\":true}").status()).isEqualTo(400);
  }

  @Test
  void whatIsWrongWithARequestIsSaid() {
    put();
    assertThat(call("POST", "/api/annotation", "{").status()).isEqualTo(400);
    assertThat(call("POST", "/api/annotation", "{\"startTime\":\"x\"}").body())
        .contains("startTime: not a whole number: 'x'");
    assertThat(
            call("POST", "/api/annotation", "{\"startTime\":5,\"tsuid\":\"01\",\"notes\":\"n\"}")
                .body())
        .contains("'01' is not a TSUID");
    assertThat(
            call("POST", "/api/uid/tsmeta", "{\"tsuid\":\"" + SERIES + "\",\"retention\":1e12}")
                .body())
        .contains("retention: out of range: 1000000000000");
  }

  @Test
  void aCorruptCellIsTheServersFault() {
    put();
    store.put(
        db.engine().tables().uidNames(),
        new byte[] {0, 0, 1},
        "metric_meta".getBytes(StandardCharsets.ISO_8859_1),
        new byte[] {'x'});
    ApiResponse response = call("GET", "/api/uid/uidmeta?uid=000001&type=metric", "");
    assertThat(response.status()).isEqualTo(500);
    assertThat(response.body()).contains("metrics 000001 of tsdb-uid:name");
  }
}
