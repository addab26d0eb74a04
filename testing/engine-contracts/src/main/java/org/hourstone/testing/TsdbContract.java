package org.hourstone.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.hourstone.QuerySettings;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.error.RequestException;
import org.hourstone.query.Query;
import org.hourstone.query.QueryLimitException;
import org.hourstone.series.Aggregator;
import org.hourstone.uid.NoSuchNameException;
import org.hourstone.uid.UidKind;
import org.hourstone.write.InvalidNumberException;
import org.junit.jupiter.api.Test;

/**
 * The public API over a store. If a store passes its own contract and this, everything above it
 * works on it; where that turns out to be wrong, this contract has to be extended.
 */
public abstract class TsdbContract extends TsdbCase {
  @Test
  final void pointsComeBackAsTheyWereWritten() {
    db.put("m", START, 1, WEB01);
    db.put("m", START.plusSeconds(1), -129, WEB01);
    db.put("m", START.plusSeconds(2), Long.MIN_VALUE, WEB01);
    db.put("m", START.plusSeconds(3), 0.1, WEB01);
    db.put("m", START.plusSeconds(4), 0.5f, WEB01);
    db.put("m", START.plusMillis(4001), Double.MIN_VALUE, WEB01);
    db.put("m", START.plusSeconds(3599), 7, WEB01);
    db.put("m", START.plusSeconds(3600), 8, WEB01);
    db.flush();
    assertThat(ask(query("none:m")))
        .containsExactly(
            "m{host=web01}[]: 0=1 1=-129 2=-9223372036854775808 3=0.1 4=0.5 4.001=4.9E-324 3599=7"
                + " 3600=8");
  }

  @Test
  final void putCompletesWhenThePointIsStored() {
    db.put("m", START, 1, WEB01).join();
    assertThat(ask(query("none:m"))).containsExactly("m{host=web01}[]: 0=1");
  }

  @Test
  final void linesOfTextAreStoredExactly() {
    db.putLine("put m 1500001200 1 host=web01").join();
    db.putLine("put m 1500001201.250 0.1 host=web01\r").join();
    db.putLine("put m 1500001202 1e3 host=web01").join();
    assertThat(ask(query("none:m"))).containsExactly("m{host=web01}[]: 0=1 1.25=0.1 2=1000.0");
  }

  @Test
  final void seriesAreAggregatedAndGrouped() {
    db.put("m", START, 1, Tags.of("host", "web01", "dc", "lga"));
    db.put("m", START, 2, Tags.of("host", "web02", "dc", "lga"));
    db.put("m", START, 4, Tags.of("host", "web03", "dc", "sfo"));
    db.put("other", START, 100, WEB01);
    db.flush();
    assertThat(ask(query("sum:m"))).containsExactly("m{}[host, dc]: 0=7");
    assertThat(ask(query("sum:m{dc=*}")))
        .containsExactly("m{dc=lga}[host]: 0=3", "m{dc=sfo, host=web03}[]: 0=4");
    assertThat(ask(query("sum:m{host=web01|web03}")))
        .containsExactly("m{dc=lga, host=web01}[]: 0=1", "m{dc=sfo, host=web03}[]: 0=4");
    assertThat(ask(query("max:m{}{dc=lga}"))).containsExactly("m{dc=lga}[host]: 0=2");
    assertThat(ask(query("count:m{}{host=WEB*}"))).containsExactly("m{}[host, dc]: 0=3");
    assertThat(ask(query("none:m"))).hasSize(3);
  }

  @Test
  final void seriesWithMoreTagsThanNamedCanBeLeftOut() {
    db.put("m", START, 1, WEB01);
    db.put("m", START, 2, Tags.of("host", "web01", "cpu", "0"));
    db.flush();
    assertThat(ask(query("sum:m{host=web01}"))).containsExactly("m{cpu=0, host=web01}[]: 0=3");
    assertThat(ask(query("sum:explicit_tags:m{host=web01}")))
        .containsExactly("m{host=web01}[]: 0=1");
  }

  @Test
  final void seriesWithoutATheGroupingTagAreLeftOut() {
    db.put("m", START, 1, WEB01);
    db.put("m", START, 2, Tags.of("cpu", "0"));
    db.flush();
    assertThat(ask(query("sum:m{host=*}"))).containsExactly("m{host=web01}[]: 0=1");
  }

  @Test
  final void bucketsAreAveragedPerSeriesBeforeSeriesMeet() {
    for (int second = 0; second < 7200; second += 60) {
      db.put("m", START.plusSeconds(second), second / 60, WEB01);
      db.put("m", START.plusSeconds(second), 1000, WEB02);
    }
    db.flush();
    assertThat(ask(query("sum:1h-avg:m"))).containsExactly("m{}[host]: 0=1029.5 3600=1089.5");
    Query shorter =
        Query.metric("m")
            .between(START.plusSeconds(600), START.plusSeconds(1200))
            .downsample(Duration.ofMinutes(10), Aggregator.COUNT);
    assertThat(ask(shorter)).containsExactly("m{}[host]: 600=20.0 1200=20.0");
  }

  @Test
  final void onlyTheRangeIsAnsweredBothEndsIncluded() {
    for (int second = 0; second < 100; second++) {
      db.put("m", START.plusSeconds(second), second, WEB01);
    }
    db.flush();
    Query range = Query.metric("m").between(START.plusSeconds(10), START.plusSeconds(12));
    assertThat(ask(range)).containsExactly("m{host=web01}[]: 10=10 11=11 12=12");
    Query beside = Query.metric("m").between(START.plusSeconds(200), START.plusSeconds(300));
    assertThat(ask(beside)).containsExactly("m{host=web01}[]:");
    Query elsewhere = Query.metric("m").between(Instant.EPOCH, START.minusSeconds(7200));
    assertThat(ask(elsewhere)).isEmpty();
  }

  @Test
  final void theNewestOfOneTimestampIsRead() {
    db.put("m", START, 0.25, WEB01).join();
    db.put("m", START, 7, WEB01).join();
    db.put("m", START.plusSeconds(1), 7, WEB01).join();
    db.put("m", START.plusSeconds(1), 0.25, WEB01).join();
    db.put("m", START.plusSeconds(2), 300, WEB01);
    db.put("m", START.plusSeconds(2), 3, WEB01);
    db.put("m", START.plusSeconds(2), 0.5f, WEB01);
    db.flush();
    assertThat(ask(query("none:m"))).containsExactly("m{host=web01}[]: 0=7 1=0.25 2=0.5");
  }

  @Test
  final void inStrictModeTwoValuesOfOneTimestampFailTheQuery() {
    with(QuerySettings.FIX_DUPLICATES, "false");
    db.put("m", START, 300, WEB01);
    db.put("m", START, 3, WEB01);
    db.put("m", START.plusSeconds(1), 3, WEB01);
    db.put("m", START.plusSeconds(1), 4, WEB01);
    db.flush();
    assertThatThrownBy(() -> ask(query("none:m")))
        .hasMessageContaining("Duplicate timestamp")
        .hasMessageContaining("row 000001");
    with(QuerySettings.FIX_DUPLICATES, "true");
    assertThat(ask(query("none:m"))).hasSize(1).first().asString().contains("1=4");
  }

  @Test
  final void whatIsWrongWithAPointIsSaidAtOnce() {
    assertThatThrownBy(() -> db.put("m m", START, 1, WEB01))
        .isInstanceOf(RequestException.class)
        .hasMessageContaining("illegal character");
    assertThatThrownBy(() -> db.put("m", START, 1, Tags.of()))
        .hasMessageContaining("Need at least one tag");
    assertThatThrownBy(() -> db.put("m", START, Double.NaN, WEB01))
        .hasMessageContaining("value is NaN or Infinite");
    assertThatThrownBy(() -> db.put("m", Instant.ofEpochSecond(-1), 1, WEB01))
        .hasMessageContaining("negative");
    assertThatThrownBy(() -> db.put("m", Instant.parse("2107-01-01T00:00:00Z"), 1, WEB01))
        .hasMessageContaining("2106");
    assertThatThrownBy(() -> db.put("m", Instant.ofEpochMilli(1500), 1, WEB01))
        .hasMessageContaining("only whole seconds");
    assertThatThrownBy(() -> db.putLine("put m 1500001200 abc host=web01"))
        .isInstanceOf(InvalidNumberException.class);
    assertThatThrownBy(() -> ask(query("none:m"))).isInstanceOf(NoSuchNameException.class);
  }

  @Test
  final void unknownNamesInAQueryAreNamed() {
    db.put("m", START, 1, WEB01).join();
    assertThatThrownBy(() -> ask(query("sum:nosuch")))
        .hasMessage("No such name for 'metrics': 'nosuch'");
    assertThatThrownBy(() -> ask(query("sum:m{nokey=*}")))
        .hasMessage("No such name for 'tagk': 'nokey'");
    assertThatThrownBy(() -> ask(query("sum:m{host=web09}")))
        .hasMessage("No such name for 'tagv': 'web09'");
    with(QuerySettings.SKIP_UNRESOLVED_TAGVS, "true");
    assertThat(ask(query("sum:m{host=web09|web01}"))).hasSize(1);
    assertThat(ask(query("sum:m{host=web09}"))).isEmpty();
  }

  @Test
  final void namesAreCreatedOnlyIfAllowed() {
    with(Settings.AUTO_CREATE_METRICS, "false");
    assertThatThrownBy(() -> db.put("m", START, 1, WEB01)).isInstanceOf(NoSuchNameException.class);
    db.uids().assign(UidKind.METRIC, "m");
    db.put("m", START, 1, WEB01).join();
    assertThat(ask(query("none:m"))).containsExactly("m{host=web01}[]: 0=1");
  }

  @Test
  final void aQueryThatReadsTooMuchIsRefused() {
    for (int second = 0; second < 20; second++) {
      db.put("m", START.plusSeconds(second), second, WEB01);
    }
    with(QuerySettings.QUERY_MAX_POINTS, "10");
    assertThatThrownBy(() -> ask(query("none:m")))
        .isInstanceOf(QueryLimitException.class)
        .hasMessageContaining("10");
  }

  @Test
  final void otherWidthsAndSaltsWorkAlike() {
    with(Settings.UID_WIDTH_METRIC, "1");
    with(Settings.UID_WIDTH_TAGK, "2");
    with(Settings.UID_WIDTH_TAGV, "8");
    with(Settings.SALT_WIDTH, "1");
    with(Settings.SALT_BUCKETS, "7");
    for (int host = 0; host < 50; host++) {
      db.put("m", START, host, Tags.of("host", "h" + host));
      db.put("m", START.plusSeconds(3600), host, Tags.of("host", "h" + host));
    }
    db.flush();
    assertThat(ask(query("sum:m"))).containsExactly("m{}[host]: 0=1225 3600=1225");
    assertThat(ask(query("sum:m{host=h3|h4}")))
        .containsExactly("m{host=h3}[]: 0=3 3600=3", "m{host=h4}[]: 0=4 3600=4");
  }

  @Test
  final void noUidIsAssignedWhenNoneIsLeft() {
    with(Settings.UID_WIDTH_TAGV, "1");
    for (int i = 0; i < 255; i++) {
      db.uids().assign(UidKind.TAGV, "v" + i);
    }
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> db.put("m", START, 1, Tags.of("host", "one-more")))
          .hasMessage("All Unique IDs for tagv on 1 bytes are already assigned!");
    }
    assertThat(db.uids().usage(UidKind.TAGV).assigned()).isEqualTo(255);
    db.put("m", START, 1, Tags.of("host", "v254")).join();
  }

  @Test
  final void namesAreSuggestedRenamedAndDeleted() {
    for (String name : List.of("sys.cpu", "sys.mem", "app", "éa")) {
      db.uids().assign(UidKind.METRIC, name);
    }
    assertThat(db.uids().suggest(UidKind.METRIC, "sys.", 10)).containsExactly("sys.cpu", "sys.mem");
    assertThat(db.uids().suggest(UidKind.METRIC, "", 10))
        .containsExactly("app", "sys.cpu", "sys.mem", "éa");
    assertThat(db.uids().suggest(UidKind.METRIC, "", 2)).containsExactly("app", "sys.cpu");
    assertThat(db.uids().suggest(UidKind.TAGK, "", 10)).isEmpty();
    byte[] uid = db.uids().uid(UidKind.METRIC, "app");
    db.uids().rename(UidKind.METRIC, "app", "application");
    assertThat(db.uids().uid(UidKind.METRIC, "application")).isEqualTo(uid);
    assertThat(db.uids().find(UidKind.METRIC, "app")).isNull();
    assertThat(db.uids().name(UidKind.METRIC, uid)).isEqualTo("application");
    assertThatThrownBy(() -> db.uids().rename(UidKind.METRIC, "application", "sys.cpu"))
        .isInstanceOf(RequestException.class);
    db.uids().delete(UidKind.METRIC, "application");
    assertThat(db.uids().find(UidKind.METRIC, "application")).isNull();
    assertThatThrownBy(() -> db.uids().name(UidKind.METRIC, uid))
        .hasMessageContaining("No such unique ID for 'metrics'");
    assertThatThrownBy(() -> db.uids().assign(UidKind.METRIC, "sys.cpu"))
        .hasMessage("Name already exists with UID: 000001");
  }

  @Test
  final void pointsGoWhereANameLeadsAfterItWasRenamedOrDeleted() {
    db.put("app", START, 1, WEB01).join();
    db.uids().rename(UidKind.METRIC, "app", "application");
    db.put("app", START, 2, WEB01).join();
    db.putLine("put app 1500001201 3 host=web01").join();
    assertThat(ask(query("none:application"))).containsExactly("application{host=web01}[]: 0=1");
    assertThat(ask(query("none:app"))).containsExactly("app{host=web01}[]: 0=2 1=3");
    db.uids().delete(UidKind.METRIC, "app");
    db.putLine("put app 1500001201 4 host=web01").join();
    assertThat(ask(query("none:app"))).containsExactly("app{host=web01}[]: 1=4");
  }

  @Test
  final void emptyNamesAreRefusedBeforeAnythingIsDone() {
    db.uids().assign(UidKind.METRIC, "m");
    assertThatThrownBy(() -> db.uids().assign(UidKind.METRIC, ""))
        .isInstanceOf(RequestException.class);
    assertThatThrownBy(() -> db.uids().rename(UidKind.METRIC, "m", ""))
        .isInstanceOf(RequestException.class);
    db.dropCaches();
    assertThat(db.uids().name(UidKind.METRIC, db.uids().uid(UidKind.METRIC, "m"))).isEqualTo("m");
    assertThat(db.uids().usage(UidKind.METRIC).assigned()).isEqualTo(1);
  }

  @Test
  final void aTruncatedSaltIsReadOnce() {
    with(Settings.STRICT, "salt");
    with(Settings.SALT_WIDTH, "1");
    with(Settings.SALT_BUCKETS, "600");
    db.put("m", START, 1, WEB01).join();
    assertThat(ask(query("none:m"))).containsExactly("m{host=web01}[]: 0=1");
  }

  @Test
  final void withThePointsOwnTimeAsWriteTimeTheLargestIsRead() {
    with(Settings.USE_OTSDB_TIMESTAMP, "true");
    db.put("m", START, 300, WEB01).join();
    db.put("m", START, 7, WEB01).join();
    assertThat(ask(query("none:m"))).containsExactly("m{host=web01}[]: 0=300");
    with(QuerySettings.USE_MAX_VALUE, "false");
    assertThat(ask(query("none:m"))).containsExactly("m{host=web01}[]: 0=7");
  }
}
