package org.hourstone.write;

import org.hourstone.internal.OwnComment;

/**
 * How an import treats errors and the order of points.
 *
 * @param skipErrors whether rejected lines are skipped; else the first one ends the import
 * @param anyOrder whether a series' points may be in any order ({@code
 *     tsd.core.bulk.allow_out_of_order_timestamps}); else a point that is not later than the one
 *     before is rejected
 * @param comments whether blank lines and those that begin with {@code #} are skipped; else only
 *     empty lines and {@linkplain OwnComment our own comments} are
 */
public record ImportOptions(boolean skipErrors, boolean anyOrder, boolean comments) {
  /** Whether a line is skipped, since it is not meant as a point. */
  public boolean isSkipped(String line) {
    return line.isEmpty()
        || (comments && (line.startsWith("#") || line.isBlank()))
        || OwnComment.is(line);
  }
}
