package org.hourstone.meta;

/** The data recorded in the meta table when points are written. */
public enum TrackingMode {
  /** Nothing. */
  OFF,
  /** That the series was written: its counter is set to 1. */
  TOUCH,
  /** That the series exists: its TSMeta is created if it has none. */
  CREATE,
  /** The number of its points; its TSMeta is created with the first one. */
  COUNT;

  /**
   * The mode of OpenTSDB's settings.
   *
   * @param tracking {@code tsd.core.meta.enable_tsuid_tracking}, without which nothing is recorded
   * @param realtime {@code tsd.core.meta.enable_realtime_ts}
   * @param incrementing {@code tsd.core.meta.enable_tsuid_incrementing}
   */
  public static TrackingMode of(boolean tracking, boolean realtime, boolean incrementing) {
    if (!tracking) {
      return OFF;
    }
    if (!realtime) {
      return TOUCH;
    }
    return incrementing ? COUNT : CREATE;
  }
}
