package org.hourstone.histogram;

import java.util.Comparator;
import org.hourstone.error.RequestException;
import org.hourstone.internal.NumberText;
import org.jspecify.annotations.Nullable;

/**
 * A range of values.
 *
 * @param lower bound, inclusive
 * @param upper bound, exclusive
 */
public record Bucket(float lower, float upper) implements Comparable<Bucket> {
  private static final Comparator<Bucket> ORDER =
      Comparator.comparingDouble(Bucket::lower).thenComparingDouble(Bucket::upper);

  /**
   * Parses a range such as {@code 0,1.75}.
   *
   * @param strict whether a bound that no float can hold becomes infinity or 0, as in OpenTSDB, and
   *     -0 stays so; else it is 0
   * @throws RequestException if it is malformed
   */
  static Bucket parse(String text, boolean strict) {
    int comma = text.indexOf(',');
    if (comma < 0 || text.indexOf(',', comma + 1) >= 0) {
      throw new RequestException("bucket '" + text + "' is not of the form lower,upper");
    }
    Bucket bucket =
        new Bucket(bound(text, 0, comma, strict), bound(text, comma + 1, text.length(), strict));
    if (!(bucket.lower <= bucket.upper)) {
      throw new RequestException("bucket '" + text + "': its lower bound is the larger");
    }
    return bucket;
  }

  private static float bound(String text, int from, int to, boolean strict) {
    String bound = text.substring(from, to);
    try {
      float nearest = Float.parseFloat(bound);
      if (!strict && !NumberText.isHeld(bound, nearest)) {
        throw new RequestException(
            "bucket '" + text + "': '" + bound + "' is too large for a float, or too near to 0");
      }
      return strict ? nearest : nearest + 0f;
    } catch (NumberFormatException e) {
      throw new RequestException("bucket '" + text + "': not a number: '" + bound + "'", e);
    }
  }

  /** Whether both bounds are. */
  boolean isFinite() {
    return Float.isFinite(lower) && Float.isFinite(upper);
  }

  /** Why it is no range of a histogram that is stored, as the end of a sentence; null if it is. */
  @Nullable String fault() {
    if (!isFinite()) {
      return "is not finite";
    }
    if (lower > upper) {
      return "has the larger bound first";
    }
    boolean isNegativeZero = Float.compare(lower, -0f) == 0 || Float.compare(upper, -0f) == 0;
    return isNegativeZero ? "has the bound -0, which is another bucket than that of 0" : null;
  }

  /** The middle of the range, which represents all measurements in it. */
  public double midpoint() {
    return ((double) lower + upper) / 2;
  }

  /** By lower, then by upper bound. */
  @Override
  public int compareTo(Bucket other) {
    return ORDER.compare(this, other);
  }

  /** {@code lower,upper}. */
  @Override
  public String toString() {
    return lower + "," + upper;
  }
}
