package org.hourstone.write;

/** Receives the progress of an import. Called by the importing thread only. */
public interface ImportListener {
  /**
   * A line is not stored.
   *
   * @param place the file and the line's number: {@code name:number}
   * @param reason why, on one line
   */
  void rejected(String place, String reason);

  /** Lines were read. Called often. */
  void read(long lines);

  /** All lines of this file up to this number are stored, or were reported as rejected. */
  void stored(String file, long lineNumber);
}
