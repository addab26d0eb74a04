package org.hourstone.rollup;

/**
 * How rolled-up values are written.
 *
 * @param tagKey of the tag that tells how a group's series became one
 * @param rawTagValue of that tag for values of one series
 * @param tagRaw whether values of one series get the tag at all
 * @param blockDerived whether averages and deviations are refused: they can't be rolled up further
 * @param writeDefaultInterval whether values of the default interval are let through, whose cells
 *     readers of raw points take for other things
 */
public record RollupOptions(
    String tagKey,
    String rawTagValue,
    boolean tagRaw,
    boolean blockDerived,
    boolean writeDefaultInterval) {}
