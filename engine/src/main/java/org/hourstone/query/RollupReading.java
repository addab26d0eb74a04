package org.hourstone.query;

import org.hourstone.rollup.RollupConfig;

/**
 * How rolled-up values are read.
 *
 * @param config the configured intervals
 * @param tagKey of the tag that says how a group's series were aggregated
 * @param split whether the time that is not rolled up yet is read as points
 * @param openTsdb whether averages are only read if they have an id, intervals are taken for any
 *     calendar, and the last bucket may lack rows, as in OpenTSDB
 */
public record RollupReading(RollupConfig config, String tagKey, boolean split, boolean openTsdb) {}
