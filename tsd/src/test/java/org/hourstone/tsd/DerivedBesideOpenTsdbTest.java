package org.hourstone.tsd;

import java.util.Map;
import org.hourstone.Settings;
import org.hourstone.hbase.NeedsHBase;
import org.hourstone.testing.beside.BesideContract;
import org.hourstone.testing.golden.RequestPort;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Beside the published OpenTSDB over salted tables with rolled-up values and histograms. On demand,
 * by {@code -Dbeside.requests=N}, as few differences have no rule yet.
 */
@NeedsHBase
@EnabledIfSystemProperty(named = "beside.requests", matches = "\\d+")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DerivedBesideOpenTsdbTest extends BesideContract {
  private static final String INTERVALS =
      "{\"aggregationIds\":{\"sum\":0,\"count\":1,\"min\":2,\"max\":3},\"intervals\":["
          + "{\"interval\":\"1m\",\"rowSpan\":\"1h\",\"defaultInterval\":true,"
          + "\"table\":\"tsdb\",\"preAggregationTable\":\"tsdb-preagg\"},"
          + "{\"interval\":\"10m\",\"rowSpan\":\"1d\","
          + "\"table\":\"tsdb-rollup-10m\",\"preAggregationTable\":\"tsdb-preagg-10m\"},"
          + "{\"interval\":\"1h\",\"rowSpan\":\"1n\","
          + "\"table\":\"tsdb-rollup-1h\",\"preAggregationTable\":\"tsdb-preagg-1h\"},"
          + "{\"interval\":\"1d\",\"rowSpan\":\"1y\","
          + "\"table\":\"tsdb-rollup-1d\",\"preAggregationTable\":\"tsdb-preagg-1d\"}]}";

  private BesideServers servers;

  @BeforeAll
  void start() {
    servers =
        BesideServers.start(
            Map.of(
                Settings.SALT_WIDTH, "1",
                Settings.SALT_BUCKETS, "4",
                Settings.ROLLUPS_ENABLE, "true",
                Settings.ROLLUPS_CONFIG, INTERVALS,
                Settings.HISTOGRAMS_CONFIG, "{\"net.opentsdb.core.SimpleHistogramDecoder\":42}"));
  }

  @AfterAll
  void stop() {
    servers.close();
  }

  @Override
  protected boolean derived() {
    return true;
  }

  @Override
  protected RequestPort ours() {
    return servers.ours();
  }

  @Override
  protected RequestPort theirs() {
    return servers.theirs();
  }
}
