package org.hourstone.tool;

/**
 * What a check of the UID table does about its findings.
 *
 * @param fix whether errors are repaired
 * @param deleteUnknown whether unknown columns are deleted
 * @param randomMetrics whether UIDs of metrics are random, so that their counter is irrelevant
 */
public record UidFsckOptions(boolean fix, boolean deleteUnknown, boolean randomMetrics) {}
