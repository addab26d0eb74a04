package org.hourstone.write;

/**
 * The result of an import.
 *
 * @param lines read, without empty ones
 * @param stored points the store has accepted
 * @param rejected lines that are not stored
 * @param repeated the number of stored points that share a timestamp with an earlier point of their
 *     series in this import, or, if they are not in time order, in the store: readers get the last
 *     one
 * @param corruptRows rows that could not be decoded to count repeats; their new points are stored
 */
public record ImportReport(
    long lines, long stored, long rejected, long repeated, long corruptRows) {}
