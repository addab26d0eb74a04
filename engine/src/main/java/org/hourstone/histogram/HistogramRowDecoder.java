package org.hourstone.histogram;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiConsumer;
import org.hourstone.codec.CellKind;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.codec.EventQualifier;
import org.hourstone.kv.Row;

/**
 * Decodes the histograms in the cells of a data row; cells of other kinds are skipped. Thread-safe.
 */
public final class HistogramRowDecoder {
  private record Written(HistogramPoint point, long writeTime) {}

  private static final Comparator<Written> ORDER =
      Comparator.<Written>comparingLong(written -> written.point().offsetMillis())
          .thenComparingLong(Written::writeTime);

  private final HistogramCodecs codecs;

  public HistogramRowDecoder(HistogramCodecs codecs) {
    this.codecs = codecs;
  }

  /**
   * The row's histograms in time order. If two share a timestamp, in seconds and in milliseconds,
   * the one written last is kept.
   *
   * @throws CorruptDataException if a histogram can't be decoded
   */
  public List<HistogramPoint> decode(Row row) {
    return decode(
        row,
        (qualifier, corruption) -> {
          throw corruption;
        });
  }

  /**
   * As {@link #decode(Row)}, but cells that can't be decoded are reported and skipped.
   *
   * @param corrupt receives the qualifier of a cell and the error
   */
  public List<HistogramPoint> decode(Row row, BiConsumer<byte[], CorruptDataException> corrupt) {
    List<Written> found = new ArrayList<>();
    for (int i = 0; i < row.size(); i++) {
      if (CellKind.of(row.qualifier(i)) == CellKind.HISTOGRAM) {
        long offset = EventQualifier.offsetMillis(row.qualifier(i));
        try {
          Histogram histogram = codecs.decode(row.value(i));
          found.add(new Written(new HistogramPoint(offset, histogram), row.writeTime(i)));
        } catch (CorruptDataException e) {
          corrupt.accept(row.qualifier(i), e);
        }
      }
    }
    found.sort(ORDER);
    List<HistogramPoint> points = new ArrayList<>(found.size());
    for (int i = 0; i < found.size(); i++) {
      HistogramPoint point = found.get(i).point();
      boolean superseded =
          i + 1 < found.size() && found.get(i + 1).point().offsetMillis() == point.offsetMillis();
      if (!superseded) {
        points.add(point);
      }
    }
    return points;
  }
}
