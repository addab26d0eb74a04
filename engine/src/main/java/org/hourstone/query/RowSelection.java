package org.hourstone.query;

import java.util.List;
import java.util.function.Predicate;
import org.hourstone.kv.Scan;

/**
 * The rows of the data table that a query reads.
 *
 * @param scans which rows, one scan per salt bucket, ascending
 * @param passes whether a row of theirs, by its key, is one of them; looks names up. A key that
 *     can't be a series' passes
 */
public record RowSelection(List<Scan> scans, Predicate<byte[]> passes) {}
