package org.hourstone.table;

/**
 * How far a run has come.
 *
 * @param rows the number of complete rows, with those of the runs that it continues
 * @param done the number of complete ranges
 * @param ranges the number of all ranges
 * @param last the key of the row that was completed last, which is the greatest one if the run has
 *     one thread; empty before the first
 */
public record TableProgress(long rows, int done, int ranges, byte[] last) {}
