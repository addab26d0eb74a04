/**
 * Stored points as text: {@code scan --import} and {@code /api/export}. {@link RowText} writes a
 * row, {@link Export} all rows of a selection in pieces, of which each can be the last that a
 * client gets.
 */
@NullMarked
package org.hourstone.export;

import org.jspecify.annotations.NullMarked;
