package org.hourstone.tsd;

import org.hourstone.query.Query;
import org.hourstone.query.ResultSeries;
import org.jspecify.annotations.Nullable;

/** A way to show an answer. */
interface SeriesView {
  /** The series that follow are those of this query; null for a function around queries. */
  default void begin(@Nullable Query query) {}

  /** Shows the next series of the answer, at once or later. */
  void add(ResultSeries series);

  /** Shows what is left, after the last series. */
  void finish();
}
