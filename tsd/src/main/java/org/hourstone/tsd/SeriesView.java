package org.hourstone.tsd;

import org.hourstone.query.ResultSeries;

/** A way to show an answer. */
interface SeriesView {
  /** Shows the next series of the answer, at once or later. */
  void add(ResultSeries series);

  /** Shows what is left, after the last series. */
  void finish();
}
