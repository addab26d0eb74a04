package org.hourstone.index;

/**
 * How the index is used.
 *
 * @param on whether it is kept up to date and used. Else an existing index is marked incomplete
 *     before anything is written
 * @param memoryBytes approximately how much memory it takes at most; at least 1
 */
public record IndexOptions(boolean on, long memoryBytes) {
  public IndexOptions {
    if (memoryBytes < 1) {
      throw new IllegalArgumentException("a series index of " + memoryBytes + " bytes");
    }
  }
}
