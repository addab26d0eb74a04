package org.hourstone.query;

import java.util.Arrays;

/** Whether rolled-up values replace points, and the fallback if there are none. */
public enum RollupUsage {
  /** Points only. */
  RAW("rollup_raw"),
  /** Only the longest interval that divides that of the downsampling. */
  NOFALLBACK("rollup_nofallback"),
  /** That one; if it has no values the next shorter ones, and finally points. */
  FALLBACK("rollup_fallback"),
  /** That one; if it has nothing, points. */
  FALLBACK_RAW("rollup_fallback_raw");

  private final String requestName;

  RollupUsage(String requestName) {
    this.requestName = requestName;
  }

  /** The name used in requests, such as {@code rollup_fallback}. */
  public String requestName() {
    return requestName;
  }

  /** The usage with this name in any case; {@link #NOFALLBACK} if the name is unknown. */
  public static RollupUsage parse(String name) {
    return Arrays.stream(values())
        .filter(usage -> usage.requestName.equalsIgnoreCase(name))
        .findFirst()
        .orElse(NOFALLBACK);
  }
}
