package org.hourstone.tool;

import java.util.Locale;

/** A repair that {@code fsck} makes only on request, because it loses or changes data. */
public enum FsckAction {
  /** Writes the points of each row into one cell, integers in their shortest form. */
  COMPACT,
  /** Keeps one of several different values with the same timestamp. */
  RESOLVE_DUPLICATES,
  /** Keeps the points of a corrupt cell that precede the corruption, and drops the rest. */
  SALVAGE,
  /** Deletes values that are not numbers. */
  DELETE_BAD_VALUES,
  /** Deletes cells of several points that can't be divided among them. */
  DELETE_BAD_COMPACTS,
  /** Deletes columns that no reader knows. */
  DELETE_UNKNOWN_COLUMNS,
  /** Deletes rows with a UID that has no name. */
  DELETE_ORPHANS,
  /** Deletes rows whose key can't be that of a series. */
  DELETE_BAD_ROWS,
  /** Deletes rows even if most rows of the first sample are to be deleted. */
  DELETE_MOST_ROWS,
  /** Moves rows even if many rows of the first sample are to be moved. */
  MOVE_MOST_ROWS;

  /** The option's name: {@code --delete-orphans}. */
  public String option() {
    return "--" + name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
