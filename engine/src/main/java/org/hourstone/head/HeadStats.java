package org.hourstone.head;

/**
 * The state of the head.
 *
 * @param rows how many are open
 * @param bytes of memory they take, approximately
 * @param journalBytes of the records that may still be needed
 * @param journalAgeSeconds the age of the oldest of them, as far as this process knows it
 * @param sealed how many rows were written to the data table since opening
 * @param refused how many of these as a cell for each point, since the store refused the row
 * @param hidden how many points of these were left out, since another process had deleted them
 *     after they were accepted, or they had expired; only where the store remembers deletions
 *     (HBase)
 * @param takeovers how many journals of other writers this process has taken over
 */
public record HeadStats(
    long rows,
    long bytes,
    long journalBytes,
    long journalAgeSeconds,
    long sealed,
    long refused,
    long hidden,
    long takeovers) {}
