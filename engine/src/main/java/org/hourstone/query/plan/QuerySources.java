package org.hourstone.query.plan;

import java.util.function.BooleanSupplier;
import org.hourstone.codec.RowKey;
import org.hourstone.histogram.HistogramCodecs;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueReader;
import org.hourstone.query.rows.RowListener;
import org.hourstone.rollup.OwnRollups;
import org.jspecify.annotations.Nullable;

/**
 * The store and the tables that queries read.
 *
 * @param keys of the rows of all tables of values
 * @param points the data table's family
 * @param ownBucketsOnly whether every row is known to be in its own salt bucket; may read the store
 * @param listener is notified of every row of points that is read
 * @param histograms the codecs of histograms, which are stored in the data table, too
 * @param rollups null if rollups are off
 * @param own the rollups that the database computes itself; null if none are, or they are not read
 */
public record QuerySources(
    KeyValueReader store,
    RowKey keys,
    Family points,
    BooleanSupplier ownBucketsOnly,
    RowListener listener,
    HistogramCodecs histograms,
    @Nullable RollupReading rollups,
    @Nullable OwnRollups own) {}
