package org.hourstone.tool;

/**
 * The options of a check of the UID table.
 *
 * @param fix whether errors are repaired
 * @param deleteUnknown whether unknown columns are deleted
 * @param randomMetrics whether metric UIDs are random, so that their counter is irrelevant
 */
public record UidFsckOptions(boolean fix, boolean deleteUnknown, boolean randomMetrics) {}
