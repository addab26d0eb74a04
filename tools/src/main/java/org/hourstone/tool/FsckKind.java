package org.hourstone.tool;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.hourstone.codec.CellFlaw;

/** The sorts of things {@code fsck} finds; {@code docs/fsck.md} explains each. */
public enum FsckKind {
  BAD_KEY("rows whose key can't be a series'", true),
  ORPHAN("rows with a UID that has no name", true),
  WRONG_SALT("rows in the wrong salt bucket", true),
  UNALIGNED_BASE_TIME("rows whose base time is not the start of an hour", true),
  UNKNOWN_COLUMN("columns that no reader knows", true),
  UNKNOWN_OBJECT("objects of a kind that is not known", false),
  PADDED_FLOAT("4-byte floats on 8 bytes, padded with 00", false),
  SIGN_EXTENDED_FLOAT("4-byte floats on 8 bytes, padded with FF", true),
  WRONG_LENGTH("values of another length than their column says", true),
  BAD_VALUE("values that are no numbers", true),
  MISSING_TRAILER("cells of several points without the byte at their end", true),
  WRONG_TRAILER("cells of several points with a wrong byte at their end", false),
  RESERVED_TRAILER("cells of several points with a byte at their end that has no meaning", true),
  BAD_COMPACT("cells that can't be divided into their points", true),
  OUT_OF_ORDER("cells of several points that are out of order", true),
  BAD_APPEND("append cells that break off, or hold something else than points", true),
  APPEND_DISORDER("append cells with points out of order, or superseded ones", false),
  OUTSIDE_HOUR("cells with points beyond the hour of their row", true),
  LONG_INTEGER("cells with integers on 8 bytes though fewer would do", false),
  REPEATED_POINT("instants with the same value in several cells", false),
  DUPLICATE("instants with different values", true),
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

  /** Whether somebody reads it wrongly or not at all; else it is harmless. */
  public boolean isError() {
    return error;
  }

  /** The actions of which any one mends it; if there is none, fixing needs no permission. */
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

  /** The options that mend it: {@code --fix} and, where it takes one, an action's. */
  public String remedyText() {
    if (this == UNKNOWN_OBJECT) {
      return "nothing";
    }
    if (this == NOT_REPAIRED) {
      return "another run";
    }
    return remedies().isEmpty()
        ? "--fix"
        : "--fix "
            + remedies().stream().map(FsckAction::option).collect(Collectors.joining(" or "));
  }

  /** What there are several of, for reports. */
  public String description() {
    return description;
  }

  /** The name in reports: {@code bad-key}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
