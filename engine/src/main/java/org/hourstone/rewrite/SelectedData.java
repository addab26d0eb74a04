package org.hourstone.rewrite;

import java.util.List;
import java.util.function.Predicate;
import org.hourstone.kv.Scan;

/**
 * The selected rows, and the data deleted from them.
 *
 * @param scans the scans over the rows
 * @param passes whether a scanned row is selected, by its key
 * @param fromMillis the first timestamp, in milliseconds since the epoch
 * @param toMillis the last timestamp, inclusive
 * @param histograms whether histograms are deleted instead of points
 */
public record SelectedData(
    List<Scan> scans,
    Predicate<byte[]> passes,
    long fromMillis,
    long toMillis,
    boolean histograms) {
  boolean contains(long millis) {
    return millis >= fromMillis && millis <= toMillis;
  }
}
