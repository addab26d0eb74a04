package org.hourstone.head;

import org.hourstone.codec.DuplicatePolicy;

/**
 * How points are stored.
 *
 * @param form how points of one row that are written together are stored
 * @param duplicates the point that is read if two points of one series share a timestamp. If the
 *     newest wins, only the newer of two that are written together is stored; else both, unless
 *     they have one qualifier, as in OpenTSDB
 * @param maxBytes the maximum size of a multi-point cell, its qualifier and value together
 * @param ordersAppends whether an append never follows a newer cell of its row, so that the newest
 *     of repeated points is read ({@link AppendOrder})
 */
public record CellOptions(
    CellForm form, DuplicatePolicy duplicates, int maxBytes, boolean ordersAppends) {
  public CellOptions {
    ordersAppends &= form == CellForm.APPENDED;
  }

  /** With rows as one cell. */
  CellOptions packed() {
    return new CellOptions(CellForm.PACKED, duplicates, maxBytes, false);
  }

  /** Whether each point is a cell dated by the point, which a store may be unable to show. */
  boolean dated() {
    return form == CellForm.SINGLE && duplicates.pointTimeAsWriteTime();
  }

  /** Whether points of one timestamp, but different cells, must not be written together. */
  boolean separatesDuplicates() {
    return form == CellForm.SINGLE && duplicates != DuplicatePolicy.NEWEST_WINS;
  }

  /** Whether rows may stay open when their points are acknowledged: the newest is read later. */
  public boolean suitsJournal() {
    return form == CellForm.PACKED || ordersAppends;
  }
}
