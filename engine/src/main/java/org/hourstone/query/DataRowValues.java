package org.hourstone.query;

import java.util.List;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.codec.RowDecoder;
import org.hourstone.codec.RowPoints;
import org.hourstone.kv.Row;

/** The points of rows of the data table. */
final class DataRowValues implements RowValues {
  private final RowDecoder decoder;
  private final CorruptionPolicy damage;
  private final RowListener listener;

  DataRowValues(QueryOptions options, CorruptionPolicy damage, RowListener listener) {
    this.decoder = new RowDecoder(options.duplicates(), options.cellsAsTheyStand());
    this.damage = damage;
    this.listener = listener;
  }

  @Override
  public int decode(List<Row> rows, long baseMillis, SeriesChunk into) {
    decoder.start();
    for (Row row : rows) {
      for (int i = 0; i < row.size(); i++) {
        try {
          decoder.add(row.qualifier(i), row.value(i), row.writeTime(i));
        } catch (CorruptDataException e) {
          damage.cell(row.key(), row.qualifier(i), e);
        }
      }
    }
    RowPoints points;
    try {
      points = decoder.finish();
      // Told first: OpenTSDB rewrites a row before it finds that a value has no length of numbers.
      rows.forEach(listener::read);
      decoder.checkLengths(points);
    } catch (CorruptDataException e) {
      throw damage.failure(rows.get(0).key(), e);
    }
    into.points.addRow(baseMillis, points);
    return points.size();
  }
}
