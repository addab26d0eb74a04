package org.hourstone.testing.golden;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.api.Api;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.codec.DuplicatePolicy;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Change;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.RowMutation;

/**
 * Puts the recorded cells of a scenario's stages into empty stores, unchanged, and makes the
 * stages' queries there: they must find the recorded points.
 */
final class ReadBack {
  private static final HexFormat HEX = HexFormat.of();

  private final Scenario scenario;
  private final Supplier<KeyValueStore> stores;

  ReadBack(Scenario scenario, Supplier<KeyValueStore> stores) {
    this.scenario = scenario;
    this.stores = stores;
  }

  void play() {
    Map<String, String> config = new LinkedHashMap<>(scenario.config());
    for (JsonNode stage : scenario.stages()) {
      config.putAll(Scenario.config(stage.path("config")));
      TsdbOptions options = GoldenConfig.options(config);
      read(GoldenCell.of(stage.path("cells")), options, stage);
      if (stage.has("cells_after_queries")) {
        read(GoldenCell.of(stage.get("cells_after_queries")), options, stage);
      }
    }
  }

  private void read(List<GoldenCell> cells, TsdbOptions options, JsonNode stage) {
    String table = options.tables().data();
    Collection<GoldenRow> rows =
        GoldenRow.of(cells.stream().filter(cell -> cell.table().equals(table)).toList()).values();
    if (rows.stream().anyMatch(row -> isUnclear(row, options))) {
      return;
    }
    try (KeyValueStore store = stores.get();
        Tsdb db = Tsdb.over(store, options)) {
      for (GoldenCell cell : cells) {
        put(store, cell);
      }
      GoldenQueries queries = new GoldenQueries(scenario, !NamesBeyondLatin1.areIn(scenario));
      for (JsonNode query : stage.path("queries")) {
        queries.compare(query, new Api(db));
      }
    }
  }

  /**
   * Whether the row reads differently here: a cell without a qualifier is a deviation; and which of
   * two points with one timestamp is newer is unknown without their write times.
   */
  private static boolean isUnclear(GoldenRow row, TsdbOptions options) {
    if (row.hasEmptyQualifier()) {
      return true;
    }
    if (!GoldenConfig.newestWins(options) || row.hasTimes()) {
      return false;
    }
    try {
      row.points(DuplicatePolicy.FAIL);
      return false;
    } catch (CorruptDataException e) {
      return true;
    }
  }

  private static void put(KeyValueStore store, GoldenCell cell) {
    Change put =
        new Cell(
                cell.qualifierBytes(),
                cell.valueBytes(),
                cell.ts().isEmpty() || cell.ts().equals("now")
                    ? Cell.STORE_TIME
                    : Long.parseLong(cell.ts()))
            .put();
    store.mutate(
        new Family(cell.table(), cell.family()),
        List.of(new RowMutation(HEX.parseHex(cell.row()), put)));
  }
}
