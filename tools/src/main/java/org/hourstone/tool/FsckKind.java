package org.hourstone.tool;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.hourstone.codec.CellFlaw;

/** The kinds of findings of {@code fsck}; {@code docs/fsck.md} explains each. */
public enum FsckKind {
  BAD_KEY("rows whose key can't be that of a series", true),
  ORPHAN("rows with a UID that has no name", true),
  WRONG_SALT("rows in the wrong salt bucket", true),
  UNALIGNED_BASE_TIME("rows whose base time is not the start of an hour", true),
  UNKNOWN_COLUMN("columns that no reader knows", true),
  UNKNOWN_OBJECT("objects of an unknown kind", false),
  PADDED_FLOAT("4-byte floats in 8 bytes, padded with 00", false),
  SIGN_EXTENDED_FLOAT("4-byte floats in 8 bytes, padded with FF", true),
  WRONG_LENGTH("values whose length differs from that in their column", true),
  BAD_VALUE("values that are not numbers", true),
  MISSING_TRAILER("cells of several points without the byte at their end", true),
  WRONG_TRAILER("cells of several points with a wrong byte at their end", false),
  RESERVED_TRAILER("cells of several points with a byte at their end that has no meaning", true),
  BAD_COMPACT("cells that can't be divided into their points", true),
  OUT_OF_ORDER("cells of several points that are out of order", true),
  BAD_APPEND("append cells that are truncated, or contain something other than points", true),
  APPEND_DISORDER("append cells with points out of order, or superseded ones", false),
  OUTSIDE_HOUR("cells with points beyond the hour of their row", true),
  LONG_INTEGER("cells with integers in 8 bytes though fewer would do", false),
  REPEATED_POINT("timestamps with the same value in several cells", false),
  DUPLICATE("timestamps with different values", true),
  BAD_ROLLUP("rolled-up values that can't be read", true),
  ROLLUP_WITHOUT_POINTS("rolled-up values of no points", true),
  STRAY_MARK("marks of rows that don't exist", false),
  NOT_REPAIRED("rows that could not be repaired", false);

  private final String description;
  private final boolean error;

  FsckKind(String description, boolean error) {
    this.description = description;
    this.error = error;
  }

  static FsckKind of(CellFlaw.Kind flaw) {
    return valueOf(flaw.name());
  }

  /** Whether a reader may misread it or fail to read it; otherwise it is harmless. */
  public boolean isError() {
    return error;
  }

  /** The actions that repair it, each by itself; if empty, {@code --fix} alone repairs it. */
  public List<FsckAction> remedies() {
    return switch (this) {
      case BAD_KEY -> List.of(FsckAction.DELETE_BAD_ROWS);
      case ORPHAN -> List.of(FsckAction.DELETE_ORPHANS);
      case UNKNOWN_COLUMN -> List.of(FsckAction.DELETE_UNKNOWN_COLUMNS);
      case BAD_VALUE -> List.of(FsckAction.DELETE_BAD_VALUES);
      case RESERVED_TRAILER, BAD_COMPACT ->
          List.of(FsckAction.SALVAGE, FsckAction.DELETE_BAD_COMPACTS);
      case BAD_APPEND -> List.of(FsckAction.SALVAGE);
      case APPEND_DISORDER, LONG_INTEGER -> List.of(FsckAction.COMPACT);
      case DUPLICATE -> List.of(FsckAction.RESOLVE_DUPLICATES);
      default -> List.of();
    };
  }

  /**
   * What repairs it: {@code --fix} and, if one is required, an action's option, or another command.
   */
  public String remedyText() {
    if (this == UNKNOWN_OBJECT) {
      return "nothing";
    }
    if (this == NOT_REPAIRED) {
      return "another run";
    }
    if (isOfRollups()) {
      return "rollup --verify";
    }
    return remedies().isEmpty()
        ? "--fix"
        : "--fix "
            + remedies().stream().map(FsckAction::option).collect(Collectors.joining(" or "));
  }

  /** Whether another command repairs it. */
  boolean isOfRollups() {
    return this == BAD_ROLLUP || this == ROLLUP_WITHOUT_POINTS || this == STRAY_MARK;
  }

  /** The description in the plural, for reports. */
  public String description() {
    return description;
  }

  /** The name in reports: {@code bad-key}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
