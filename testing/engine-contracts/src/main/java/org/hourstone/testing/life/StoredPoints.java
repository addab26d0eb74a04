package org.hourstone.testing.life;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.hourstone.Tsdb;
import org.hourstone.codec.DuplicatePolicy;
import org.hourstone.codec.RowDecoder;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.RowPoints;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.Scan;
import org.hourstone.testing.life.LifeModel.Series;

/** All points in a database's table, those that have expired as well. */
final class StoredPoints {
  private final Tsdb db;

  StoredPoints(Tsdb db) {
    this.db = db;
  }

  /** The points are those of a model, which learns of them. */
  void check(LifeModel model) {
    Map<Bytes, Map<Long, Double>> stored = read();
    for (Series series : List.copyOf(model.series())) {
      Bytes tsuid =
          new Bytes(
              db.engine().seriesNames().tsuid(series.metric(), Map.of("host", series.host())));
      Map<Long, Double> points = stored.getOrDefault(tsuid, new TreeMap<>());
      for (long millis : List.copyOf(model.all(series).keySet())) {
        double value = points.getOrDefault(millis, LifeModel.NONE);
        if (!model.read(series, millis, value)) {
          throw new AssertionError(
              series
                  + " at "
                  + millis
                  + " is stored as "
                  + value
                  + ", not of "
                  + model.possible(series, millis));
        }
        points.remove(millis);
      }
      if (!points.isEmpty()) {
        throw new AssertionError(series + " has stored points that must not be: " + points);
      }
    }
  }

  private Map<Bytes, Map<Long, Double>> read() {
    RowKey keys = db.engine().keys();
    RowDecoder decoder = new RowDecoder(DuplicatePolicy.NEWEST_WINS, false);
    RowPoints points = new RowPoints();
    Map<Bytes, Map<Long, Double>> all = new HashMap<>();
    KeyValueStore sealed = db.engine().sealedStore();
    try (RowCursor cursor = sealed.scan(db.engine().tables().points(), Scan.all())) {
      for (Row row = cursor.next(); row != null; row = cursor.next()) {
        decoder.start();
        for (int i = 0; i < row.size(); i++) {
          var unused = decoder.add(row.qualifier(i), row.value(i), row.writeTime(i));
        }
        decoder.finish(points);
        long hour = keys.baseTime(row.key());
        Map<Long, Double> of =
            all.computeIfAbsent(new Bytes(keys.tsuid(row.key())), k -> new TreeMap<>());
        for (int i = 0; i < points.size(); i++) {
          of.put(hour * 1000 + points.offset(i), points.toDouble(i));
        }
      }
    }
    return all;
  }
}
