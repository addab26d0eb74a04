/**
 * The head: open rows of points in memory, which readers see and which are sealed later, that is,
 * written to the data table. {@link org.hourstone.head.Acknowledgement} says when a point is
 * acknowledged: when a journal in the store has it, or when its row is sealed. See {@code
 * docs/head.md} and {@code docs/format/journal.md}.
 *
 * <p>{@link org.hourstone.head.Head} is what readers see, {@link org.hourstone.head.HeadShard} the
 * rows of one writing thread, and {@link org.hourstone.head.RowSealer} writes them, and ready-made
 * cells.
 */
@NullMarked
package org.hourstone.head;

import org.jspecify.annotations.NullMarked;
