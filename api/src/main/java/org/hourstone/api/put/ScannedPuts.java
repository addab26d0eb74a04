package org.hourstone.api.put;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.time.ZoneOffset;
import java.util.AbstractList;
import java.util.Set;
import java.util.function.Function;
import org.hourstone.api.endpoint.BodyDialect;
import org.hourstone.uid.SeriesName;
import org.hourstone.write.NewSeries;
import org.hourstone.write.TextPoints;
import org.jspecify.annotations.Nullable;

/**
 * The points of a put body of the usual shape, as the places of their fields in its text. They are
 * parsed only when they are asked for. Immutable.
 */
final class ScannedPuts extends AbstractList<@Nullable PutPoint> {
  /** Where a point begins, among its places; they begin with those of its fields. */
  static final int POINT = TextPoints.PLACES;

  /** How many places a point has. */
  static final int PLACES = POINT + 2;

  /** No member of a scanned point has a type or a form that any rule is about. */
  private static final PutReader READER =
      new PutReader(Set.of(), BodyDialect.HOURSTONE, ZoneOffset.UTC);

  private final byte[] text;
  private final int[] places;
  private final int size;
  private final int taken;

  /**
   * @param places of each point in turn
   * @param taken how many of the first points a batch has already
   */
  ScannedPuts(byte[] text, int[] places, int size, int taken) {
    this.text = text;
    this.places = places;
    this.size = size;
    this.taken = taken;
  }

  /** How many of the first points were added to a batch when the body was scanned. */
  int taken() {
    return taken;
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public @Nullable PutPoint get(int i) {
    int point = places[i * PLACES + POINT];
    String json = new String(text, point, places[i * PLACES + POINT + 1] - point, US_ASCII);
    return READER.read(json, 0).get(0);
  }

  /** Adds a point to a batch, with its index as token; false if it was left. */
  boolean addTo(TextPoints batch, int i) {
    return batch.addJson(text, places, i * PLACES, i);
  }

  /** Adds the series of a point to those that are resolved together. */
  void addTo(NewSeries found, int i, Function<@Nullable PutPoint, @Nullable SeriesName> name) {
    found.addJson(text, places, i * PLACES, () -> name.apply(get(i)));
  }

  /** Lets batches know the series of a point by its text, if it was put. */
  void remember(TextPoints batch, int i, @Nullable PutPoint point) {
    if (point != null && point.metric() != null && point.tags() != null) {
      batch.rememberJson(text, places, i * PLACES, point.metric(), point.tags());
    }
  }
}
