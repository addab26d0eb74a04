package org.hourstone.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.hourstone.TsdbOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Requests that wait for each other are known by their paths, since a server has other threads for
 * them: those that take turns because they may read for long, or because they handle stored texts.
 */
class RequestKindsTest extends RequestCase {
  private boolean mayWaitForOthers(String uri) {
    return api.mayTakeLong(uri) || api.handlesTexts(uri);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/q?m=sum:m",
        "/suggest",
        "/api/annotation",
        "/api/annotation?start_time=1500000000",
        "/api/annotation/bulk",
        "/api/annotations",
        "/api/cardinality",
        "/api/query",
        "/api/query/exp",
        "/api/query/gexp",
        "/api/query/last",
        "/api/search/lookup",
        "/api/suggest",
        "/api/tree",
        "/api/tree/",
        "/api/tree/branch",
        "/api/tree/collisions",
        "/api/tree/notmatched",
        "/api/tree/rule",
        "/api/tree/rules",
        "/api/tree/test",
        "/api/uid/tsmeta",
        "/api/uid/uidmeta",
        "/api/v1/tree/rule/?treeid=1",
      })
  void theseMayWait(String uri) {
    assertThat(mayWaitForOthers(uri)).isTrue();
    assertThat(api.neverWaits(uri)).isFalse();
  }

  @Test
  void theOthersWaitOnlyForTheStore() {
    for (String uri :
        List.of(
            "/api/dropcaches",
            "/api/histogram",
            "/api/put?details",
            "/api/rollup",
            "/api/uid/assign",
            "/api/uid/rename",
            "/api/v1/write",
            "/api/nothing",
            "/api/admin/backup")) {
      assertThat(mayWaitForOthers(uri)).as(uri).isFalse();
    }
  }

  @Test
  void inStrictModeWhatFollowsTheNameOfAnEndpointIsIgnored() {
    open(TsdbOptions.openTsdbDefaults());
    assertThat(api.handlesTexts("/api/annotation/of/the/day")).isTrue();
    assertThat(api.mayTakeLong("/api/suggest/names")).isTrue();
    assertThat(api.neverWaits("/api/version/of/it")).isTrue();
    assertThat(api.endpointOf("/api/suggest/names")).isEqualTo("/api/suggest");
    assertThat(api.endpointOf("/api/nothing/names")).isEqualTo("other");
  }
}
