package org.hourstone.query;

import org.hourstone.histogram.HistogramCodecs;
import org.hourstone.kv.Family;
import org.jspecify.annotations.Nullable;

/**
 * The sources that a query may read.
 *
 * @param points the data table's family
 * @param listener is notified of every row of points that is read
 * @param histograms the codecs of histograms, which are stored in the data table, too
 * @param rollups null if rollups are off
 */
public record QuerySources(
    Family points,
    RowListener listener,
    HistogramCodecs histograms,
    @Nullable RollupReading rollups) {}
