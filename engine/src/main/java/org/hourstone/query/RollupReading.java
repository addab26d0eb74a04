package org.hourstone.query;

import org.hourstone.rollup.RollupConfig;

/**
 * How rolled-up values are read.
 *
 * @param config the intervals there are
 * @param tagKey of the tag that tells how a group's series became one
 * @param split whether what is too new to be rolled up is read as points
 * @param openTsdb whether averages are only read if they have an id, intervals are taken for any
 *     calendar, and the last bucket may lack rows, as in OpenTSDB
 */
public record RollupReading(RollupConfig config, String tagKey, boolean split, boolean openTsdb) {}
