package org.hourstone.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.api.endpoint.ApiDialect;
import org.hourstone.api.query.QueryBody;
import org.hourstone.api.query.QueryEcho;
import org.hourstone.api.request.ApiCall;
import org.hourstone.internal.Json;
import org.hourstone.query.HistogramView;
import org.hourstone.query.Query;
import org.hourstone.query.QueryDialect;
import org.hourstone.query.QueryDraft;
import org.hourstone.query.QueryLimits;
import org.hourstone.query.RollupUsage;
import org.hourstone.query.TagFilter;
import org.hourstone.series.Aggregator;
import org.hourstone.series.Downsample;
import org.hourstone.series.DurationUnit;
import org.hourstone.series.FillPolicy;
import org.hourstone.series.RateOptions;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.store.ModelStore;
import org.junit.jupiter.api.Test;

/** A query that is printed, as text or in JSON, is read as the same query. */
class QueryRoundTripTest {
  private static final int QUERIES = 5_000;
  private static final TagFilter.Type[] FILTERS = TagFilter.Type.values();

  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);

  @Test
  void aQueryIsReadFromItsText() {
    for (int i = 0; i < QUERIES; i++) {
      Query query = anyQuery();
      String text = query.text();
      QueryDraft draft =
          query.metric().isEmpty()
              ? QueryDraft.ofTsuids(text, QueryDialect.HOURSTONE)
              : QueryDraft.ofMetric(text, QueryDialect.HOURSTONE);
      assertThat(draft.query(QueryDialect.HOURSTONE))
          .as("seed %d: %s", seed, text)
          .isEqualTo(query);
      assertThat(draft).hasToString(text);
    }
  }

  @Test
  void aQueryIsReadFromItsJson() {
    ManualClock clock = new ManualClock(Instant.ofEpochSecond(1_500_001_400));
    TsdbOptions options =
        TsdbOptions.defaults()
            .with(Settings.AUTO_CREATE_METRICS, "true")
            .with(Settings.COMPACTION_BACKGROUND, "false")
            .withClock(clock);
    try (ModelStore store = new ModelStore(clock);
        Tsdb db = Tsdb.over(store, options)) {
      db.putLine("put m 1500001200 1 host=a dc=b").join(); // the echo contains UIDs of tags
      for (int i = 0; i < QUERIES; i++) {
        Query query = anyQuery();
        QueryDraft draft = QueryDraft.of(query);
        ObjectNode echo = QueryEcho.of(draft, 0, db);
        echo.remove("tags"); // the older form, which replaces filters
        ObjectNode body = Json.object().put("start", 1);
        body.putArray("queries").add(echo);
        List<QueryDraft> read =
            QueryBody.read(
                    ApiCall.of("POST", "/api/query", Json.text(body)),
                    ApiDialect.HOURSTONE,
                    QueryLimits.NONE)
                .queries();
        assertThat(read).as("seed %d: %s", seed, body).containsExactly(draft);
        assertThat(read.get(0).query(QueryDialect.HOURSTONE)).isEqualTo(query);
      }
    }
  }

  private Query anyQuery() {
    Query query =
        random.nextInt(4) == 0
            ? Query.tsuids(List.of("000001000001000001", "00000100000100000A"))
            : filtered(Query.metric("sys.cpu-" + random.nextInt(10)));
    query = query.aggregate(any(Aggregator.values()));
    // The text has at most three options.
    List<Integer> options = new ArrayList<>();
    for (int n = random.nextInt(4); n > 0; n--) {
      options.add(random.nextInt(6));
    }
    for (int option : options.stream().distinct().toList()) {
      query = with(query, option);
    }
    return query;
  }

  private Query with(Query query, int option) {
    return switch (option) {
      case 0 -> query.downsample(anyDownsample());
      case 1 -> query.rate(random.nextBoolean() ? RateOptions.DEFAULT : anyRate());
      case 2 -> query.from(query.source().withPreAggregates());
      case 3 -> query.from(query.source().withRollups(any(RollupUsage.values())));
      case 4 -> query.metric().isEmpty() ? query : query.withExplicitTags();
      default -> query.from(query.source().withHistograms(anyView()));
    };
  }

  private HistogramView anyView() {
    return random.nextBoolean()
        ? new HistogramView(List.of(), true)
        : new HistogramView(List.of(50.0, random.nextInt(1000) / 10.0), false);
  }

  private Downsample anyDownsample() {
    Aggregator by = any(Aggregator.values());
    Downsample fixed =
        Downsample.fixed(
            1 + random.nextInt(1_000_000), by == Aggregator.NONE ? Aggregator.SUM : by);
    boolean all = random.nextInt(8) == 0;
    return new Downsample(
        all ? Downsample.ALL : fixed.number(),
        all ? DurationUnit.MILLISECONDS : any(DurationUnit.values()),
        fixed.aggregator(),
        any(FillPolicy.NONE, FillPolicy.NAN, FillPolicy.NULL, FillPolicy.ZERO),
        !all && random.nextBoolean(),
        fixed.zone(),
        false);
  }

  private RateOptions anyRate() {
    return new RateOptions(
        true, random.nextLong() >>> 1, random.nextInt() >>> 1, random.nextBoolean());
  }

  /** Filters that group come first in the text. */
  private Query filtered(Query metric) {
    Query query = metric;
    for (boolean groupBy : new boolean[] {true, false}) {
      for (int n = random.nextInt(3); n > 0; n--) {
        query = query.filter(anyFilter(random.nextBoolean() ? "host" : "dc", groupBy));
      }
    }
    return query;
  }

  private TagFilter anyFilter(String tagk, boolean groupBy) {
    TagFilter.Type type = any(FILTERS);
    String text =
        switch (type) {
          case WILDCARD, IWILDCARD -> any("*", "a*", "*b*");
          case REGEXP -> any("a{1,2}:b", "(x|y),[z:]", ".*");
          case NOT_KEY -> "";
          default -> any("a", "a|b", "x=y");
        };
    return new TagFilter(type, tagk, text, groupBy);
  }

  @SafeVarargs
  private <T> T any(T... values) {
    return values[random.nextInt(values.length)];
  }
}
