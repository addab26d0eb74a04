/**
 * Replacing cells of a row by others with the same meaning, and deleting points: compaction, repair
 * of append cells, deletion. Each reads a row, plans its replacement and applies it with {@link
 * org.hourstone.kv.KeyValueStore#replaceCells}. If the row has changed, nothing is replaced, and
 * the operation starts again with the new row.
 */
@NullMarked
package org.hourstone.rewrite;

import org.jspecify.annotations.NullMarked;
