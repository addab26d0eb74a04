/**
 * The head: points of open hours in memory, behind a journal in the store. A point is acknowledged
 * once its journal record is stored, and queries see it from then on; its row is written to the
 * data table as one cell when its hour is over. See {@code docs/head.md} and {@code
 * docs/format/journal.md}.
 */
@NullMarked
package org.hourstone.head;

import org.jspecify.annotations.NullMarked;
