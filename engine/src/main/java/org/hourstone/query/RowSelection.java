package org.hourstone.query;

import java.util.List;
import java.util.function.Predicate;
import org.hourstone.kv.Scan;

/**
 * The rows of the data table that a query reads.
 *
 * @param scans select the rows, one scan per salt bucket, ascending
 * @param passes tests the key of a row; resolves names. A key that is not that of a series passes
 */
public record RowSelection(List<Scan> scans, Predicate<byte[]> passes) {}
