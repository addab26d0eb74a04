package org.hourstone.index;

/**
 * How the index is used.
 *
 * @param on whether the index is maintained and used. If not, an existing index is marked
 *     incomplete before anything is written
 * @param memoryBytes the approximate maximum of memory it uses; at least 1
 */
public record IndexOptions(boolean on, long memoryBytes) {
  public IndexOptions {
    if (memoryBytes < 1) {
      throw new IllegalArgumentException("a series index of " + memoryBytes + " bytes");
    }
  }
}
