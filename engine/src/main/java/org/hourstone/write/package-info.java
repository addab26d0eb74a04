/**
 * The write path, from a point as text or from the Java API to cells that the store has accepted:
 * parsing and validation, resolving series, and the pipeline that groups points by row and writes
 * them in batches. Histograms and rolled-up values are written in the same way, encoded by their
 * packages.
 */
@NullMarked
package org.hourstone.write;

import org.jspecify.annotations.NullMarked;
