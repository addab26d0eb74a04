package org.hourstone.tool;

import org.jspecify.annotations.Nullable;

/**
 * A finding of {@code fsck}.
 *
 * @param row the row's key
 * @param name the name of the row, see {@link RowNames#text}
 * @param qualifier the qualifier of the cell, or null if the finding is about the row
 * @param text the details
 * @param state the result
 */
public record FsckFinding(
    FsckKind kind, byte[] row, String name, byte @Nullable [] qualifier, String text, State state) {

  /** The result of a finding. */
  public enum State {
    /** It was repaired. */
    FIXED,
    /** It would be repaired if this were not a preview. */
    FIXABLE,
    /** It remains: its repair is not permitted or not possible. */
    REMAINS
  }
}
