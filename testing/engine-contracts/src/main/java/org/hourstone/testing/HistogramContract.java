package org.hourstone.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.hourstone.QuerySettings;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.api.Api;
import org.hourstone.api.Telnet;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.error.RequestException;
import org.hourstone.histogram.Bucket;
import org.hourstone.histogram.HistogramPoint;
import org.hourstone.histogram.HistogramRowDecoder;
import org.hourstone.histogram.SimpleHistogram;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.Scan;
import org.hourstone.query.Query;
import org.hourstone.query.SeriesCursor;
import org.junit.jupiter.api.Test;

/** Histograms over a store: every way in, and that they stay when their row is compacted. */
public abstract class HistogramContract extends DatabaseCase {
  /** 2017-07-14T03:00:00Z, the start of an hour. */
  private static final Instant START = Instant.ofEpochSecond(1_500_001_200);

  private static final Tags WEB01 = Tags.of("host", "web01");
  private static final HexFormat HEX = HexFormat.of();
  private static final String ONE = "2a0001000000003f800000050102";
  private static final SimpleHistogram SAME = SimpleHistogram.of(Map.of(new Bucket(0, 1), 5L));

  @Override
  protected final TsdbOptions options() {
    return TsdbOptions.defaults()
        .with(Settings.CREATE_TABLES, "true")
        .with(Settings.HISTOGRAMS_CONFIG, "{\"org.hourstone.histogram.SimpleHistogramCodec\": 42}")
        .with(Settings.COMPACTION_QUIET, "0")
        .with(Settings.COMPACTION_BACKGROUND, "false")
        .with(Settings.COMPACTION_SPREAD, "0")
        .withClock(fixture.clock());
  }

  /** The cells of the data table as "qualifier=value". */
  private List<String> cells() {
    db.flush();
    List<String> cells = new ArrayList<>();
    for (Row row : rows()) {
      for (int i = 0; i < row.size(); i++) {
        cells.add(HEX.formatHex(row.qualifier(i)) + "=" + HEX.formatHex(row.value(i)));
      }
    }
    return cells;
  }

  private List<Row> rows() {
    List<Row> found = new ArrayList<>();
    try (RowCursor rows = store.scan(db.engine().tables().points(), Scan.all())) {
      for (Row row = rows.next(); row != null; row = rows.next()) {
        found.add(row);
      }
    }
    return found;
  }

  private ApiResponse post(String body) {
    return new Api(db)
        .respond(ApiCall.of("POST", "/api/histogram?details", body.replace('\'', '"')));
  }

  private String telnet(String line) {
    return new Telnet(db).respond(line).join();
  }

  @Test
  final void everyWayInEndsInTheSameCell() {
    SimpleHistogram histogram = new SimpleHistogram(SAME.buckets(), 1, 2);
    String head = "{'metric':'m','tags':{'host':'web01'},'timestamp':";

    db.put("m", START.plusSeconds(1), histogram, WEB01);
    assertThat(telnet("histogram m 1500001202 o=2:0,1=5:u=1 host=web01")).isEmpty();
    assertThat(telnet("histogram m 1500001203 42 AAEAAAAAP4AAAAUBAg== host=web01")).isEmpty();
    assertThat(post(head + "1500001204,'buckets':{'0,1':5},'overflow':2,'underflow':1}").status())
        .isEqualTo(200);
    assertThat(post(head + "'1500001205005','id':42,'value':'AAEAAAAAP4AAAAUBAg=='}").status())
        .isEqualTo(200);

    assertThat(cells())
        .containsExactly(
            "060000138d=" + ONE,
            "060001=" + ONE,
            "060002=" + ONE,
            "060003=" + ONE,
            "060004=" + ONE);
    assertThat(new HistogramRowDecoder(db.histograms().codecs()).decode(rows().get(0)))
        .extracting(HistogramPoint::offsetMillis)
        .containsExactly(1000L, 2000L, 3000L, 4000L, 5005L);
  }

  @Test
  final void compactionTouchesPointsAndLeavesHistograms() {
    db.put("m", START.plusSeconds(1), 1, WEB01);
    db.flush();
    db.put("m", START.plusSeconds(2), SAME, WEB01);
    db.put("m", START.plusSeconds(3), 2, WEB01);
    db.flush();
    fixture.clock().advance(Duration.ofDays(4000));

    db.compactions().flush();

    assertThat(cells()).containsExactly("00100030=010200", "060002=2a0001000000003f800000050000");
  }

  @Test
  final void aHistogramThatCanNotBeReadIsRefusedAndSaysWhy() {
    assertThat(telnet("histogram m 1500001202 0,1=x host=web01"))
        .isEqualTo("histogram: illegal argument: histogram: '0,1=x': its count is not a number\n");
    assertThat(telnet("histogram m 1500001202 42 AAE= host=web01"))
        .contains("illegal argument: Corrupted histogram");
    assertThat(telnet("histogram m 1500001202 42 ??? host=web01")).contains("not Base64");
    assertThat(telnet("histogram m 1500001202 43 AAEAAAAAP4AAAAUBAg== host=web01"))
        .contains("no histogram codec has the id 43");
    assertThat(telnet("histogram m 0 0,1=1 host=web01")).contains("invalid timestamp: 0");
    assertThat(telnet("histogram m 1500001202 0,1=1")).contains("need least 4, got 3");
    assertThat(telnet("histogram m 1500001202 0,1=1 host")).contains("invalid tag: host");
    assertThat(
            post("{'metric':'m','timestamp':1500001204,'buckets':5,'tags':{'host':'web01'}}")
                .body())
        .contains("buckets is not an object of counts", "\"failed\":1");
    assertThat(post("{'metric':'m','timestamp':1500001204,'tags':{'host':'web01'}}").body())
        .contains("Empty value");
    assertThat(cells()).isEmpty();
  }

  /** The bytes of the simple codec that are not those of the histogram that is read from them. */
  private static final Map<String, String> CHANGED =
      Map.ofEntries(
          Map.entry("0001000000003f800000ffffffffffffffffff0102", "10 is negative: -1"),
          Map.entry("0001000000003f80000005ffffffffffffffffff02", "11 is negative: -1"),
          Map.entry("0001000000003f8000000501ffffffffffffffffff", "12 is negative: -1"),
          Map.entry("0001000000007f800000050102", "bucket 0.0,Infinity at byte 2 is not finite"),
          Map.entry("00017fc000003f800000050102", "bucket NaN,1.0 at byte 2 is not finite"),
          Map.entry("0001800000003f800000050102", "bucket -0.0,1.0 at byte 2 has the bound -0"),
          Map.entry("00013f80000000000000050102", "bucket 1.0,0.0 at byte 2 has the larger bound"),
          Map.entry("0002000000003f80000005000000003f800000060102", "0.0,1.0 at byte 11 is given"),
          Map.entry("0002000000003f80000005bf80000000000000060102", "-1.0,0.0 at byte 11 is below"),
          Map.entry("0001000000003f8000000501020000", "2 bytes after its end, at byte 13"),
          Map.entry("0001000000003f80000085000102", "count at byte 10 has more bytes than it"));

  @Test
  final void aCodedHistogramThatWouldBeStoredOtherwiseIsRefused() {
    CHANGED.forEach(
        (hex, fault) -> {
          String base64 = Base64.getEncoder().encodeToString(HEX.parseHex(hex));
          String json =
              "{'metric':'m','tags':{'host':'web01'},'timestamp':1500001204,'id':42,'value':'"
                  + base64
                  + "'}";

          assertThat(telnet("histogram m 1500001202 42 " + base64 + " host=web01"))
              .startsWith("histogram: illegal argument: Corrupted histogram: ")
              .contains(fault);
          assertThat(post(json).body()).contains("\"failed\":1", fault);
        });
    assertThat(cells()).isEmpty();
  }

  @Test
  final void aHistogramOfAProgramThatIsNoneIsRefused() {
    Bucket bucket = new Bucket(0, 1);
    Map<SimpleHistogram, String> refused =
        Map.of(
            SimpleHistogram.of(Map.of(bucket, -5L)),
            "'0.0,1.0': its count is negative: -5",
            new SimpleHistogram(SAME.buckets(), -1, 0),
            "'underflow': its count is negative: -1",
            new SimpleHistogram(SAME.buckets(), 0, -2),
            "'overflow': its count is negative: -2",
            SimpleHistogram.of(Map.of(new Bucket(1, 0), 5L)),
            "1.0,0.0 has the larger bound first",
            SimpleHistogram.of(Map.of(new Bucket(0, Float.NaN), 5L)),
            "0.0,NaN is not finite",
            SimpleHistogram.of(Map.of(bucket, 1L, new Bucket(-0f, 1), 5L)),
            "-0.0,1.0 has the");
    refused.forEach(
        (histogram, fault) ->
            assertThatExceptionOfType(RequestException.class)
                .isThrownBy(() -> db.put("m", START, histogram, WEB01))
                .withMessageContaining(fault));
    assertThat(cells()).isEmpty();
  }

  @Test
  final void aBoundMinusZeroIsZero() {
    assertThat(telnet("histogram m 1500001202 -0,1=5:0,1=3 host=web01"))
        .contains("bucket '0,1' is given twice");
    assertThat(telnet("histogram m 1500001202 -1,-0=4:-0,1=5 host=web01")).isEmpty();
    assertThat(telnet("histogram m 1500001203 -1,0=4:0,1=5 host=web01")).isEmpty();
    assertThat(cells()).hasSize(2);
    assertThat(cells().get(0).split("=")[1]).isEqualTo(cells().get(1).split("=")[1]);
  }

  @Test
  final void inStrictModeACodedHistogramIsTakenAsByOpenTsdb() {
    useInstead(options().with(Settings.STRICT, "all"));

    int second = 1_500_001_200;
    for (String hex : CHANGED.keySet()) {
      String base64 = Base64.getEncoder().encodeToString(HEX.parseHex(hex));
      assertThat(telnet("histogram m " + second++ + " 42 " + base64 + " host=web01")).isEmpty();
    }
    assertThat(cells()).hasSize(CHANGED.size());
  }

  @Test
  final void inStrictModeATelnetHistogramThatCanNotBeReadIsSkippedSilently() {
    useInstead(options().with(Settings.STRICT, "points"));

    assertThat(telnet("histogram m 1500001202 0,1=x host=web01")).isEmpty();
    assertThat(telnet("histogram m 0 0,1=1 host=web01")).contains("invalid timestamp: 0");
    assertThat(cells()).isEmpty();
  }

  private List<String> ask(String expression) {
    List<String> answer = new ArrayList<>();
    Query query = Query.parse(expression).between(START, START.plusSeconds(7200));
    try (SeriesCursor series = db.query(query)) {
      series.forEach(one -> answer.add(TsdbCase.text(one)));
    }
    return answer;
  }

  @Test
  final void percentilesAndBucketsAreSeriesOfTheAddedHistograms() {
    Bucket low = new Bucket(0, 1);
    Bucket high = new Bucket(1, 2);
    Tags web02 = Tags.of("host", "web02");
    db.put("m", START.plusSeconds(1), SimpleHistogram.of(Map.of(low, 9L, high, 1L)), WEB01);
    db.put("m", START.plusSeconds(1), SimpleHistogram.of(Map.of(high, 90L)), web02);
    db.put("m", START.plusMillis(2500), SimpleHistogram.of(Map.of(low, 3L)), web02);
    db.put("m", START.plusSeconds(3601), new SimpleHistogram(SAME.buckets(), 4, 6), WEB01);
    db.put("m", START.plusSeconds(1), 1, WEB01);
    db.flush();

    assertThat(ask("sum:percentiles[50,9]:m"))
        .containsExactly(
            "m_pct_50.0{}[host]: 1=1.5 2.5=0.5 3601=0.5",
            "m_pct_9.0{}[host]: 1=0.5 2.5=0.5 3601=0.5");
    assertThat(ask("none:percentiles[50]:m"))
        .containsExactly(
            "m_pct_50.0{host=web01}[]: 1=0.5 3601=0.5", "m_pct_50.0{host=web02}[]: 1=1.5 2.5=0.5");
    assertThat(ask("sum:show-histogram-buckets:m{host=web01}"))
        .containsExactly(
            "m_UNDERFLOW{host=web01}[]: 1=0 3601=4",
            "m_0.0_1.0{host=web01}[]: 1=9 3601=5",
            "m_1.0_2.0{host=web01}[]: 1=1 3601=0",
            "m_OVERFLOW{host=web01}[]: 1=0 3601=6");
    assertThat(ask("sum:2h-sum:percentiles[95]:m")).containsExactly("m_pct_95.0{}[host]: 3600=0.5");
    assertThat(ask("sum:4h-sum:percentiles[95]:m")).containsExactly("m_pct_95.0{}[host]: 3600=0.5");
    assertThat(ask("sum:1m-sum:show-histogram-buckets:m"))
        .contains("m_0.0_1.0{}[host]: 0=12 3600=5", "m_1.0_2.0{}[host]: 0=91 3600=0");
    assertThat(ask("sum:0all-sum:show-histogram-buckets:m")).contains("m_0.0_1.0{}[host]: 0=17");
    assertThat(ask("sum:percentiles[50]:m{host=*}")).hasSize(2);
    assertThat(ask("sum:m")).containsExactly("m{host=web01}[]: 1=1");
  }

  @Test
  final void whatCanNotBeAskedOfHistogramsIsSaid() {
    db.put("m", START.plusSeconds(1), SAME, WEB01).join();
    for (String wrong :
        List.of(
            "max:percentiles[50]:m",
            "sum:1m-avg:percentiles[50]:m",
            "sum:rate:percentiles[50]:m",
            "sum:pre-agg:percentiles[50]:m")) {
      assertThatExceptionOfType(RequestException.class)
          .describedAs(wrong)
          .isThrownBy(() -> ask(wrong))
          .withMessageContaining("histogram");
    }
    useInstead(options().with(Settings.HISTOGRAMS_CONFIG, ""));
    assertThatExceptionOfType(RequestException.class)
        .isThrownBy(() -> ask("sum:percentiles[50]:m"))
        .withMessageContaining("tsd.core.histograms.config");
  }

  @Test
  final void aHistogramThatIsCorruptFailsTheQueryOrIsSkipped() {
    db.put("m", START.plusSeconds(1), SAME, WEB01).join();
    byte[] row = rows().get(0).key();
    store.put(db.engine().tables().points(), row, HEX.parseHex("060002"), HEX.parseHex("2aff"));
    assertThatThrownBy(() -> ask("sum:percentiles[50]:m"))
        .isInstanceOf(CorruptDataException.class)
        .hasMessageContaining("060002");
    useInstead(options().with(QuerySettings.CORRUPT_ROWS, "skip"));
    assertThat(ask("sum:percentiles[50]:m")).containsExactly("m_pct_50.0{host=web01}[]: 1=0.5");
  }

  @Test
  final void withoutACodecHistogramsAreRefused() {
    useInstead(options().with(Settings.HISTOGRAMS_CONFIG, ""));

    assertThat(telnet("histogram m 1500001202 0,1=1 host=web01"))
        .isEqualTo(
            "histogram: illegal argument: Histogram storage has not been enabled. Check the"
                + " 'tsd.core.histograms.config' configuration.\n");
    assertThat(post("{}").status()).isEqualTo(503);
    assertThatExceptionOfType(RequestException.class)
        .isThrownBy(() -> db.put("m", START, SAME, WEB01));
  }

  @Test
  final void aWrongSettingIsNamedWhenTheDatabaseIsOpened() {
    TsdbOptions wrong = options().with(Settings.HISTOGRAMS_CONFIG, "{\"org.example.None\": 1}");

    assertThatIllegalArgumentException()
        .isThrownBy(() -> Tsdb.over(store, wrong))
        .withMessageStartingWith("tsd.core.histograms.config: no histogram codec org.example.None");
  }
}
