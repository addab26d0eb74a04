package org.hourstone.head;

/**
 * Bounds of the head.
 *
 * @param bytes of memory for open rows, approximately, at least 1; beyond it the oldest rows are
 *     sealed early
 * @param journalBytes of the records that open rows still need, at least 1; beyond it the oldest
 *     rows are sealed early
 * @param batchPoints how many points are sealed in one call of the store, at least 1; a row with
 *     more is sealed by itself
 * @param attempts how often a call is made if the store keeps failing to apply it, at least 1
 * @param maxCellBytes of a multi-point cell, its qualifier and value together
 */
public record HeadOptions(
    long bytes, long journalBytes, int batchPoints, int attempts, int maxCellBytes) {}
