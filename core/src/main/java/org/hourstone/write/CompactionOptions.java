package org.hourstone.write;

import org.hourstone.codec.DuplicatePolicy;

/**
 * How rows are compacted.
 *
 * @param duplicates which of two points of one instant stays; rows with a conflict that fails are
 *     left as they are
 * @param cellsAsTheyStand whether the points of a cell are taken as they stand, as OpenTSDB does
 * @param rewriteAppends whether append cells are taken into the compacted cell; else rows that have
 *     one are left as they are, as OpenTSDB leaves them
 * @param maxCellBytes how large a cell may get, its qualifier and value together
 * @param pointTimeAsWriteTime whether the compacted cell keeps the newest write time of its parts
 *     rather than getting the store's
 */
public record CompactionOptions(
    DuplicatePolicy duplicates,
    boolean cellsAsTheyStand,
    boolean rewriteAppends,
    int maxCellBytes,
    boolean pointTimeAsWriteTime) {}
