package org.hourstone.query;

import java.util.List;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.codec.RowDecoder;
import org.hourstone.codec.RowPoints;
import org.hourstone.codec.rest.RestingCell;
import org.hourstone.kv.CodedCell;
import org.hourstone.kv.Row;

/**
 * The points of rows of the data table. Of those outside of the range of a query for raw points,
 * only the last one before it and the first one after it contribute to results, by interpolation.
 */
final class DataRowValues implements RowValues {
  private final SpareDecoder spare;
  private final RowDecoder decoder;
  private final CorruptionPolicy damage;
  private final RowListener listener;
  private final boolean raw;
  private final long startMillis;
  private final long stopMillis;

  DataRowValues(SpareDecoder spare, Query query, CorruptionPolicy damage, RowListener listener) {
    this.spare = spare;
    this.decoder = spare.take();
    this.damage = damage;
    this.listener = listener;
    this.raw = query.downsample() == null && query.rate() == null;
    this.startMillis = query.startMillis();
    this.stopMillis = Math.max(query.endMillis(), query.endMillis() + 1);
  }

  @Override
  public int decode(List<Row> rows, long baseMillis, SeriesChunk into) {
    decoder.start();
    for (Row row : rows) {
      for (int i = 0; i < row.size(); i++) {
        try {
          if (row.coded() == null || !addCoded(row.coded(), row.writeTime(i))) {
            decoder.add(row.qualifier(i), row.value(i), row.writeTime(i));
          }
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
    int size = points.size();
    int first = raw ? Math.max(0, countBefore(startMillis - baseMillis, points) - 1) : 0;
    int end = raw ? Math.min(size, countBefore(stopMillis - baseMillis, points) + 1) : size;
    into.addRow(baseMillis, points, first, end);
    return size;
  }

  @Override
  public void close() {
    spare.giveBack(decoder);
  }

  /** Takes a cell's points from its coded form, and returns whether it could. */
  private boolean addCoded(CodedCell cell, long writeTime) {
    try {
      return cell.codec().equals(RestingCell.NAME)
          && decoder.add(
              points -> RestingCell.addPoints(cell.bytes(), cell.start(), points), writeTime);
    } catch (IllegalArgumentException e) {
      return false; // its bytes are those of a corrupt cell
    }
  }

  private static int countBefore(long offset, RowPoints points) {
    return points.indexOf((int) Math.max(0, Math.min(offset, Integer.MAX_VALUE)));
  }
}
