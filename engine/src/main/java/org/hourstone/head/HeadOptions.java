package org.hourstone.head;

/**
 * Bounds of the head.
 *
 * @param bytes of memory for open rows, approximately, at least 1; beyond it the oldest rows are
 *     sealed early
 * @param journalBytes of the records that open rows still need, at least 1; beyond it the oldest
 *     rows are sealed early
 * @param batchRows how many rows are sealed in one call of the store, at least 1
 * @param attempts how often a call is made if the store keeps failing to apply it, at least 1
 * @param maxCellBytes of a multi-point cell, its qualifier and value together
 */
public record HeadOptions(
    long bytes, long journalBytes, int batchRows, int attempts, int maxCellBytes) {}
