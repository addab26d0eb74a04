package org.hourstone.tool;

import org.jspecify.annotations.Nullable;

/**
 * One thing found.
 *
 * @param row the row's key
 * @param name what the row is called, see {@link RowNames#text}
 * @param qualifier the cell's, or null if it is about the row
 * @param text what exactly
 * @param state what has become of it
 */
public record FsckFinding(
    FsckKind kind, byte[] row, String name, byte @Nullable [] qualifier, String text, State state) {

  /** What has become of a finding. */
  public enum State {
    /** It is mended. */
    FIXED,
    /** It would be mended, were this no preview. */
    FIXABLE,
    /** It stays: nobody permitted to mend it, or it can't be. */
    REMAINS
  }
}
