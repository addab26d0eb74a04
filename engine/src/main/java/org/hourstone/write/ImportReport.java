package org.hourstone.write;

/**
 * What became of an import.
 *
 * @param lines read, without empty ones
 * @param stored points the store has accepted
 * @param rejected lines that are not stored
 * @param repeated of the stored points, those at an instant their series had a point at before in
 *     this import, or, if they are not in the order of time, in the store: the last one is what is
 *     read
 * @param damagedRows rows that could not be read to count repeats in; their new points are stored
 */
public record ImportReport(
    long lines, long stored, long rejected, long repeated, long damagedRows) {}
