package org.hourstone.tool;

import java.util.Locale;

/** A repair that {@code fsck} makes only on request, because it loses or changes data. */
public enum FsckAction {
  COMPACT("Writes the points of each row into one cell, integers in their shortest form."),
  RESOLVE_DUPLICATES(
      "Keeps one of several values with the same timestamp: the one that queries return, or the"
          + " oldest if queries fail (tsd.storage.fix_duplicates off)."),
  SALVAGE("Keeps the points of corrupt cells that precede the corruption."),
  DELETE_BAD_VALUES("Deletes values that are not numbers."),
  DELETE_BAD_COMPACTS("Deletes cells that can't be divided into their points."),
  DELETE_UNKNOWN_COLUMNS("Deletes columns that no reader knows."),
  DELETE_ORPHANS("Deletes rows with a UID that has no name."),
  DELETE_BAD_ROWS("Deletes rows whose key can't be that of a series."),
  DELETE_MOST_ROWS(
      "Continues even if most of the first rows would be deleted. Check the settings first: with"
          + " wrong UID widths or a wrong salt this applies to every row."),
  MOVE_MOST_ROWS(
      "Continues even if many of the rows checked first would be moved, which is correct after the"
          + " number of salt buckets was changed.");

  private final String description;

  FsckAction(String description) {
    this.description = description;
  }

  /** Its effect, for users, in a sentence or two. */
  public String description() {
    return description;
  }

  /** Whether it repairs something by itself; the others only lift a limit of the repairs. */
  public boolean isRepair() {
    return this != DELETE_MOST_ROWS && this != MOVE_MOST_ROWS;
  }

  /** The option's name: {@code --delete-orphans}. */
  public String option() {
    return "--" + name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
