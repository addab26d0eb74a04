package org.hourstone.write;

/**
 * How errors and order are handled in an import.
 *
 * @param skipErrors whether rejected lines are skipped; else the first one ends the import
 * @param anyOrder whether a series' points may come in any order ({@code
 *     tsd.core.bulk.allow_out_of_order_timestamps}); else one that is not after the one before it
 *     is rejected
 * @param comments whether lines of blanks and those that begin with {@code #} are skipped
 */
public record ImportOptions(boolean skipErrors, boolean anyOrder, boolean comments) {}
