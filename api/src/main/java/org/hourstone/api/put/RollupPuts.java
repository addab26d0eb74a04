package org.hourstone.api.put;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hourstone.Tsdb;
import org.hourstone.api.endpoint.ApiOptions;
import org.hourstone.error.RequestException;
import org.hourstone.rollup.NoSuchRollupException;
import org.hourstone.rollup.RollupKind;
import org.hourstone.write.PointValue;
import org.hourstone.write.Receipt;

/** {@code /api/rollup}: rolled-up and pre-aggregated values; decimals are stored in 8 bytes. */
public record RollupPuts(Tsdb db, ApiOptions options) implements PutKind {
  private static final String INTERVAL = "interval";
  private static final String AGGREGATOR = "aggregator";
  private static final String GROUP_BY = "groupByAggregator";
  private static final Set<String> FIELDS =
      Collections.unmodifiableSet(new LinkedHashSet<>(List.of(INTERVAL, AGGREGATOR, GROUP_BY)));

  @Override
  public Set<String> fields() {
    return FIELDS;
  }

  @Override
  public void put(
      PutPoint point, String metric, Map<String, String> tags, Receipt receipt, long token) {
    PointValue value = PointValue.wide(String.valueOf(point.value()), options.vanishingDecimals());
    RollupKind kind =
        new RollupKind(point.text(INTERVAL), point.text(AGGREGATOR), point.text(GROUP_BY));
    if (options.requests().bodies().takesUnknownMembers()) {
      checkAsOpenTsdb(kind);
    }
    try {
      db.rollups().put(kind, metric, tags, point.timestamp(), value, receipt, token);
    } catch (NoSuchRollupException e) {
      throw options.errors().noRollup(e);
    }
  }

  /** In the words of OpenTSDB, and before an unknown interval is noticed. */
  private static void checkAsOpenTsdb(RollupKind kind) {
    if (!kind.hasInterval() && !kind.isGroup()) {
      throw new RequestException("Missing interval");
    }
    if (kind.hasInterval() && kind.aggregator().isEmpty()) {
      throw new RequestException("Missing aggregator");
    }
  }
}
