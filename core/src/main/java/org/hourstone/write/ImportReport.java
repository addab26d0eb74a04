package org.hourstone.write;

/**
 * What became of an import.
 *
 * @param lines read, without empty ones
 * @param stored points the store has accepted
 * @param rejected lines that are not stored
 * @param repeated of the stored points, those at an instant their series had a point at already:
 *     the last one is what is read
 */
public record ImportReport(long lines, long stored, long rejected, long repeated) {}
