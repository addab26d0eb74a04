package org.hourstone.tool;

/**
 * What a check of the UID table does about what it finds.
 *
 * @param fix whether what is wrong is repaired
 * @param deleteUnknown whether columns are deleted that are nothing known
 * @param randomMetrics whether UIDs of metrics are random, so that their counter means nothing
 */
public record UidFsckOptions(boolean fix, boolean deleteUnknown, boolean randomMetrics) {}
