package org.hourstone.histogram;

/** No codec of histograms is configured. */
public final class HistogramsDisabledException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  public HistogramsDisabledException() {
    super(
        "Histogram storage has not been enabled. Check the 'tsd.core.histograms.config'"
            + " configuration.");
  }
}
