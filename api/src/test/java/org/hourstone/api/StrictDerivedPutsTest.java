package org.hourstone.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.hourstone.Settings;
import org.hourstone.TsdbOptions;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiResponse;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * In strict mode wrong rolled-up values and histograms are refused as OpenTSDB 2.4 refused them.
 */
class StrictDerivedPutsTest extends ApiCase {
  private static final String INTERVALS =
      "{'aggregationIds':{'sum':0},'intervals':["
          + "{'interval':'1m','rowSpan':'1h','defaultInterval':true,"
          + "'table':'tsdb','preAggregationTable':'preagg'},"
          + "{'interval':'1h','rowSpan':'1d','table':'rollup','preAggregationTable':'preagg-1h'}]}";

  StrictDerivedPutsTest() {
    super(Instant.parse("2018-05-01T00:00:00Z"));
  }

  @Override
  TsdbOptions options() {
    return TsdbOptions.openTsdbDefaults()
        .with(Settings.ROLLUPS_ENABLE, "true")
        .with(Settings.ROLLUPS_CONFIG, INTERVALS.replace('\'', '"'))
        .with(Settings.HISTOGRAMS_CONFIG, "{\"net.opentsdb.core.SimpleHistogramDecoder\":42}");
  }

  @Override
  void putPoints() {}

  private String error(String path, String member) {
    String body = "{'metric':'m','timestamp':1500001200,'tags':{'host':'a'}" + member + "}";
    ApiCall call = ApiCall.of("POST", path + "?details", body.replace('\'', '"'));
    try (ApiResponse response = api.respond(call)) {
      return response.status() + " " + response.body().replace('"', '\'');
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '#',
      value = {
        ",'value':7 # 'error':'Missing interval'",
        ",'value':7,'aggregator':'sum' # 'error':'Missing interval'",
        ",'value':7,'interval':'1h' # 'error':'Missing aggregator'",
        ",'value':7,'interval':'7h' # 'error':'Missing aggregator'",
        ",'value':7,'interval':'1h','aggregator':'p95' # 'error':'No ID found mapping to",
      },
      quoteCharacter = '`')
  void whatARolledUpValueLacksIsSaid(String members, String error) {
    assertThat(error("/api/rollup", members)).startsWith("400 ").contains(error);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '#',
      value = {
        ",'buckets':{'a,b':3} # 'id':0,'buckets':{'a,b':3},'underflow':0,'overflow':0}",
        ",'underflow':1 # 'tags':{'host':'a'},'id':0,'underflow':1,'overflow':0}",
        ",'value':'x','id':7 # 'tags':{'host':'a'},'id':7,'underflow':0,'overflow':0}",
      },
      quoteCharacter = '`')
  void aHistogramIsShownWithAllItsNumbers(String members, String point) {
    assertThat(error("/api/histogram", members)).startsWith("400 ").contains(point);
  }
}
