package org.hourstone.rollup;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How rolled-up values are written.
 *
 * @param tagKey the key of the tag that states how a group's series were aggregated
 * @param rawTagValue the value of that tag for values of one series; null if they don't get the tag
 * @param blockDerived whether averages and deviations are refused: they can't be rolled up further
 * @param writeDefaultInterval whether values of the default interval are accepted, although readers
 *     of raw points misread their cells
 * @param groupBys how a group's series may be aggregated, in lower case, so that queries find it,
 *     and then a value without an interval has no aggregator of one; empty if both are accepted
 *     anyhow
 * @param computed the intervals whose values the database computes: others are refused
 */
public record RollupOptions(
    String tagKey,
    @Nullable String rawTagValue,
    boolean blockDerived,
    boolean writeDefaultInterval,
    Set<String> groupBys,
    Set<String> computed) {}
