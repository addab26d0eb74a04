package org.hourstone.api.request;

import org.hourstone.query.ResultSeries;

/** Draws the pictures of {@code /q}. Thread-safe. */
@FunctionalInterface
public interface Plotter {
  /** A picture without series. */
  Plot begin(PlotStyle style);

  /** A picture of series. For one thread. */
  interface Plot {
    /**
     * Adds a series.
     *
     * @return the bytes of memory it takes until the picture is drawn
     */
    long add(ResultSeries series);

    /**
     * The picture as a PNG file.
     *
     * @throws UnsupportedOperationException if this process can't draw; the message says why
     */
    byte[] png();
  }

  /** For a program that draws nothing. */
  static Plotter none() {
    return style -> {
      throw new UnsupportedOperationException(
          "Pictures are not supported: use ascii for the points, json for their count");
    };
  }
}
