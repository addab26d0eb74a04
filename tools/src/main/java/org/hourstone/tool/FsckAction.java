package org.hourstone.tool;

import java.util.Locale;

/** What {@code fsck} does only if it is told to, because it loses or changes something. */
public enum FsckAction {
  /** Puts the points of each row into one cell, integers on the fewest bytes. */
  COMPACT,
  /** Of different values of one instant keeps one. */
  RESOLVE_DUPLICATES,
  /** Keeps the points of a damaged cell that stand before the damage, and drops the rest. */
  SALVAGE,
  /** Deletes values that are no numbers. */
  DELETE_BAD_VALUES,
  /** Deletes cells of several points that can't be divided among them. */
  DELETE_BAD_COMPACTS,
  /** Deletes columns that no reader knows. */
  DELETE_UNKNOWN_COLUMNS,
  /** Deletes rows with a UID that has no name. */
  DELETE_ORPHANS,
  /** Deletes rows whose key can't be a series'. */
  DELETE_BAD_ROWS,
  /** Deletes rows even if most of those that come first are to be deleted. */
  DELETE_MOST_ROWS,
  /** Moves rows even if many of those that are looked at first are to be moved. */
  MOVE_MOST_ROWS;

  /** The option's name: {@code --delete-orphans}. */
  public String option() {
    return "--" + name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
