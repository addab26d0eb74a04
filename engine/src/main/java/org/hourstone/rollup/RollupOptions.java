package org.hourstone.rollup;

/**
 * How rolled-up values are written.
 *
 * @param tagKey of the tag that says how a group's series were aggregated
 * @param rawTagValue of that tag for values of one series
 * @param tagRaw whether values of one series get the tag
 * @param blockDerived whether averages and deviations are refused: they can't be rolled up further
 * @param writeDefaultInterval whether values of the default interval are accepted, although readers
 *     of raw points misread their cells
 */
public record RollupOptions(
    String tagKey,
    String rawTagValue,
    boolean tagRaw,
    boolean blockDerived,
    boolean writeDefaultInterval) {}
