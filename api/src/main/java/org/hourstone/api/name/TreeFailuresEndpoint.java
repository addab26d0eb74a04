package org.hourstone.api.name;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import org.hourstone.Tsdb;
import org.hourstone.api.endpoint.ApiOptions;
import org.hourstone.api.endpoint.BodyDialect;
import org.hourstone.api.endpoint.BudgetedResponse;
import org.hourstone.api.endpoint.Endpoint;
import org.hourstone.api.endpoint.TsuidCheck;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.internal.UidText;
import org.hourstone.tree.Trees;
import org.hourstone.uid.NoSuchUidException;
import org.hourstone.uid.SeriesNames;

/**
 * {@code /api/tree/collisions} and {@code /api/tree/notmatched}: the series that found no place, by
 * TSUID.
 */
public final class TreeFailuresEndpoint implements Endpoint {
  /** Reads the failures of a tree: all, or those of the listed TSUIDs. */
  @FunctionalInterface
  public interface Failures {
    /**
     * @param memory called with the memory of each before it is taken
     */
    Map<String, String> of(int treeId, List<String> tsuids, LongConsumer memory);
  }

  private static final String TSUIDS = "tsuids";

  private final Tsdb db;
  private final Trees trees;
  private final SeriesNames names;
  private final TsuidCheck check;
  private final Failures failures;
  private final BodyDialect bodies;

  public TreeFailuresEndpoint(Tsdb db, ApiOptions options, Failures failures) {
    this.db = db;
    this.trees = db.trees();
    this.names = db.seriesNames();
    this.check = new TsuidCheck(options.keys());
    this.bodies = options.requests().bodies();
    this.failures = failures;
  }

  @Override
  public ApiResponse respond(ApiCall call) {
    TreeFields fields = TreeFields.of(call, bodies, TreeFields.SERIES);
    int treeId = TreeEndpoint.find(trees, fields.treeId()).id();
    List<String> tsuids = fields.list(TSUIDS);
    return BudgetedResponse.of(
        db,
        call,
        () -> "series without a place in tree " + treeId,
        budget -> respond(treeId, tsuids, budget.memory()::grow));
  }

  private ApiResponse respond(int treeId, List<String> tsuids, LongConsumer memory) {
    if (bodies.takesUnknownMembers()) {
      return ApiResponse.ok(new HashMap<>(failures.of(treeId, tsuids, memory)));
    }
    tsuids.forEach(tsuid -> check.check(tsuid, TSUIDS));
    Map<String, String> found = failures.of(treeId, tsuids, memory);
    for (String tsuid : tsuids) {
      checkSeries(tsuid, found);
    }
    return ApiResponse.ok(new HashMap<>(found));
  }

  /** A series may have found a place, but its names are known, or were when it found none. */
  private void checkSeries(String tsuid, Map<String, String> found) {
    byte[] series = UidText.parse(tsuid);
    if (found.containsKey(UidText.format(series))) {
      return;
    }
    try {
      names.of(series);
    } catch (NoSuchUidException e) {
      throw TsuidCheck.refused(TSUIDS, tsuid, ": " + e.getMessage());
    }
  }
}
