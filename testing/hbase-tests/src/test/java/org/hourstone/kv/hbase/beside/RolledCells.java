package org.hourstone.kv.hbase.beside;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.hourstone.codec.RowKey;
import org.hourstone.kv.Family;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.Scan;

/** The rolled-up values of a host a in tables that we and OpenTSDB share. */
record RolledCells(BothSides sides) {
  /** Those of an interval, as they are stored. */
  List<RolledCell> of(String interval, String metric) {
    RowKey keys = sides.tsdb().engine().keys();
    byte[] tsuid = sides.tsdb().engine().seriesNames().tsuid(metric, Map.of("host", "a"));
    List<RolledCell> found = new ArrayList<>();
    Family family = new Family("tsdb-rollup-" + interval, "t");
    try (RowCursor rows = sides.tsdb().engine().store().scan(family, Scan.all())) {
      for (Row row = rows.next(); row != null; row = rows.next()) {
        if (Arrays.equals(keys.tsuid(row.key()), tsuid)) {
          long base = keys.baseTime(row.key());
          for (int i = 0; i < row.size(); i++) {
            found.add(RolledCell.of(interval, base, row.qualifier(i), row.value(i)));
          }
        }
      }
    }
    return found;
  }

  /** Has OpenTSDB store values. */
  void store(String interval, String metric, List<RolledCell> values) {
    String body =
        values.stream()
            .map(each -> each.json(interval, metric))
            .collect(Collectors.joining(",", "[", "]"));
    assertThat(sides.theirs("POST", "/api/rollup?details", body).body().path("success"))
        .hasToString(String.valueOf(values.size()));
    ReadAlikeContract.await("the cells", () -> of(interval, metric).size() == values.size());
  }
}
