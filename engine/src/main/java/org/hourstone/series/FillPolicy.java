package org.hourstone.series;

import java.util.Locale;
import org.hourstone.error.RequestException;

/** The value of a downsampled series in a bucket without points. */
public enum FillPolicy {
  /** No point. */
  NONE,
  /** Not a number. */
  NAN,
  /** NaN, written as null. */
  NULL,
  ZERO,
  /**
   * A name that OpenTSDB accepts but does not implement: the query fails at the first bucket
   * without points.
   */
  SCALAR;

  /** The name used in requests, such as {@code nan}. */
  public String requestName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The policy with this name, case-insensitive.
   *
   * @throws RequestException if the name is unknown
   */
  public static FillPolicy parse(String name) {
    for (FillPolicy policy : values()) {
      if (policy.name().equalsIgnoreCase(name)) {
        return policy;
      }
    }
    throw new RequestException("Unrecognized fill policy: " + name);
  }

  /** The value of a bucket without points; not valid for {@link #NONE}. */
  double value() {
    return switch (this) {
      case NAN, NULL -> Double.NaN;
      case ZERO -> 0;
      case NONE, SCALAR -> throw new IllegalArgumentException("unhandled fill policy");
    };
  }
}
