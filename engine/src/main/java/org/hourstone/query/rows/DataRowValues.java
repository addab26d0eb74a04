package org.hourstone.query.rows;

import java.util.List;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.codec.RowDecoder;
import org.hourstone.codec.RowPoints;
import org.hourstone.codec.coded.CodedPoints;
import org.hourstone.kv.CodedCell;
import org.hourstone.kv.Row;
import org.hourstone.query.CorruptionPolicy;

/** The points of rows of the data table. */
public final class DataRowValues implements RowValues {
  private final SpareDecoder spare;
  private final RowDecoder decoder;
  private final DecodedCells.Reader cells;
  private final CorruptionPolicy corruption;
  private final RowListener listener;

  public DataRowValues(
      SpareDecoder spare, DecodedCells cells, CorruptionPolicy corruption, RowListener listener) {
    this.spare = spare;
    this.decoder = spare.take();
    this.cells = cells.reader();
    this.corruption = corruption;
    this.listener = listener;
  }

  @Override
  public int decode(List<Row> rows, long baseMillis, List<SeriesChunk> into) {
    decoder.start();
    for (Row row : rows) {
      for (int i = 0; i < row.size(); i++) {
        try {
          if (row.coded() == null || !addCoded(row.coded(), row.writeTime(i))) {
            decoder.add(row.qualifier(i), row.value(i), row.writeTime(i));
          }
        } catch (CorruptDataException e) {
          corruption.cell(row.key(), row.qualifier(i), e);
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
      throw corruption.failure(rows.get(0).key(), e);
    }
    for (SeriesChunk chunk : into) {
      chunk.addRow(baseMillis, points);
    }
    return points.size();
  }

  @Override
  public void close() {
    cells.close();
    spare.giveBack(decoder);
  }

  /** Takes a cell's points from its coded form, and returns whether it could. */
  private boolean addCoded(CodedCell cell, long writeTime) {
    try {
      return cell.codec().equals(CodedPoints.NAME)
          && decoder.add(points -> cells.addPoints(cell, points), writeTime);
    } catch (IllegalArgumentException e) {
      return false; // its bytes are those of a corrupt cell
    }
  }
}
