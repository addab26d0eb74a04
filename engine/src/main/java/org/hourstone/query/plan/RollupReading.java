package org.hourstone.query.plan;

import org.hourstone.query.RollupDialect;
import org.hourstone.rollup.RollupConfig;

/**
 * How rolled-up values are read.
 *
 * @param config the configured intervals
 * @param tagKey of the tag that says how a group's series were aggregated
 * @param split whether the time that is not rolled up yet is read as points
 * @param dialect which values are read
 */
public record RollupReading(
    RollupConfig config, String tagKey, boolean split, RollupDialect dialect) {}
