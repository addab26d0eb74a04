package org.hourstone.kv.hbase.beside;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.hourstone.QuerySettings;
import org.hourstone.Setting;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.hbase.NeedsHBase;
import org.hourstone.kv.StoreException;
import org.junit.jupiter.api.Test;

/** Tables as most have them, with metadata. */
@NeedsHBase
class PlainTablesTest extends AtOnceContract {
  @Override
  Map<Setting<?>, String> settings() {
    return Map.of(
        QuerySettings.FIX_DUPLICATES, "true",
        QuerySettings.ALLOW_DELETE, "true",
        Settings.META_TRACKING, "true",
        Settings.META_REALTIME_TS, "true",
        Settings.META_INCREMENTING, "true",
        Settings.META_REALTIME_UID, "true");
  }

  @Test
  void bothCountThePointsOfASeriesAndKnowTheSameOfIt() {
    List<String> theirs = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      theirs.add(point("meta", HOUR + 2L * i, "1", "meta.host"));
    }
    for (int i = 0; i < 30; i++) {
      sides().tsdb().put("meta", Instant.ofEpochSecond(HOUR + 2L * i + 1), 1, host("meta.host"));
      if (i % 10 == 5) {
        put(theirs.subList(i - 5, i + 5));
      }
    }
    sides().tsdb().flush();

    String get = "/api/uid/tsmeta?tsuid=" + tsuid("meta");
    await("60 counted", () -> count(get) == 60);
    assertAnsweredAlike(get);
    assertAnsweredAlike("/api/uid/tsmeta?m=meta%7Bhost%3Dmeta.host%7D");
    String uid = tsuid("meta").substring(0, 6);
    assertAnsweredAlike("/api/uid/uidmeta?type=metric&uid=" + uid);
  }

  private int count(String get) {
    return sides().ours("GET", get, "").body().path("totalDatapoints").asInt();
  }

  @Test
  void metadataThatEitherChangesIsReadAlike() {
    sides().tsdb().put("meta.ours", Instant.ofEpochSecond(HOUR), 1, host("meta.host")).join();
    put(List.of(point("meta.theirs", HOUR, "1", "meta.host")));
    for (String metric : List.of("meta.ours", "meta.theirs")) {
      String tsuid = tsuid(metric);
      String series = "/api/uid/tsmeta?tsuid=" + tsuid;
      String name = "/api/uid/uidmeta?type=metric&uid=" + tsuid.substring(0, 6);
      await("metadata of " + metric, () -> sides().ours("GET", series, "").status() == 200);
      assertAnsweredAlike(series);
      assertAnsweredAlike(name);

      String change = "{\"tsuid\":\"" + tsuid + "\",\"%s\":\"é ü\",\"custom\":{\"%s\":\"1\"}}";
      assertAccepted(sides().theirs("POST", "/api/uid/tsmeta", change.formatted("notes", "b")));
      assertAccepted(sides().ours("POST", "/api/uid/tsmeta", change.formatted("units", "a")));
      assertAccepted(
          sides().theirs("POST", "/api/uid/tsmeta", change.formatted("displayName", "c")));
      assertAnsweredAlike(series);
      String rename =
          "{\"type\":\"metric\",\"uid\":\"" + tsuid.substring(0, 6) + "\",\"%s\":\"x\"}";
      assertAccepted(sides().ours("POST", "/api/uid/uidmeta", rename.formatted("notes")));
      assertAccepted(sides().theirs("POST", "/api/uid/uidmeta", rename.formatted("displayName")));
      assertAccepted(sides().ours("POST", "/api/uid/uidmeta", rename.formatted("description")));
      assertAnsweredAlike(name);
    }
  }

  /**
   * HBase hides a cell that is dated before a deletion, also one that is put afterwards. Dated by
   * its point it is refused; dated by the server it is seen.
   */
  @Test
  void aDeletionOfTheirsHidesOnlyWhatIsDatedBeforeIt() {
    Instant time = Instant.ofEpochSecond(HOUR);
    try (Tsdb dated = sides().oursWith(Settings.USE_OTSDB_TIMESTAMP, "true")) {
      dated.put("hidden", time, 1, host("a")).join();
      String query = BothSides.query("none:hidden", HOUR, HOUR + 1);
      assertAccepted(sides().theirs("DELETE", query, ""));
      await("deleted", () -> sides().ours("GET", query, "").points().isEmpty());

      assertThatThrownBy(() -> dated.put("hidden", time, 2, host("a")).join())
          .hasRootCauseInstanceOf(StoreException.class)
          .rootCause()
          .hasMessageContaining("is hidden by a later deletion");
      assertThatThrownBy(dated::flush).isInstanceOf(StoreException.class);
      assertThat(sides().ours("GET", query, "").points()).isEmpty();

      sides().tsdb().put("hidden", time, 3, host("a")).join();
      assertReadAlike("hidden", 1);
    }
  }

  private static void assertAccepted(Answer answer) {
    assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
  }
}
