package org.hourstone.write;

/** Receives the progress of an import. Called by the importing thread only. */
public interface ImportListener {
  /**
   * A line was rejected.
   *
   * @param place the file and the line's number: {@code name:number}
   * @param reason why, on one line
   */
  void rejected(String place, String reason);

  /**
   * As {@link #rejected(String, String)}.
   *
   * @param line as in the file; empty if it is not text or too long
   */
  default void rejected(String place, String reason, String line) {
    rejected(place, reason);
  }

  /**
   * The store failed: a line is not stored, or that is unknown. The import ends. Arguments as for
   * {@link #rejected(String, String)}.
   */
  default void failed(String place, String reason) {
    rejected(place, reason);
  }

  /** Whether the import should end early, with an {@link ImportException}. */
  default boolean isStopped() {
    return false;
  }

  /** Lines were read. Called often. */
  void read(long lines);

  /** All lines of this file up to this number are stored, or were reported as rejected. */
  void stored(String file, long lineNumber);
}
