/**
 * From a point as it arrives, by text or by the Java API, to cells the store has accepted: parsing
 * and validation, the series a point belongs to, and the pipeline that groups points by row and
 * writes them in batches.
 */
@NullMarked
package org.hourstone.write;

import org.jspecify.annotations.NullMarked;
