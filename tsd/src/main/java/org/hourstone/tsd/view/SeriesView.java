package org.hourstone.tsd.view;

import org.hourstone.query.Query;
import org.hourstone.query.ResultSeries;
import org.jspecify.annotations.Nullable;

/** A way to show results. */
public interface SeriesView {
  /**
   * Starts the series of a query.
   *
   * @param query null for a function of queries
   */
  default void begin(@Nullable Query query) {}

  /** Shows the next series of the result, immediately or later. */
  void add(ResultSeries series);

  /** Shows the rest, after the last series. */
  void finish();
}
