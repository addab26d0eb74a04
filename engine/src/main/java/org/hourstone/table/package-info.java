/**
 * Runs over the rows of whole tables: a table is divided into {@link
 * org.hourstone.table.TableRange}s, which a {@link org.hourstone.table.TableRun} passes to its
 * threads; a {@link org.hourstone.table.TableListener} receives the progress, and checkpoints from
 * which an interrupted run continues.
 */
@NullMarked
package org.hourstone.table;

import org.jspecify.annotations.NullMarked;
