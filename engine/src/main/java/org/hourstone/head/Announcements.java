package org.hourstone.head;

import java.util.List;
import java.util.function.Supplier;

/** Is notified of rows before readers see their points. Thread-safe. */
public interface Announcements {
  /**
   * Rows are going to be readable.
   *
   * @param show makes them readable; is called unless this throws before
   */
  void showing(List<byte[]> rows, Runnable show);

  /** They are shown. */
  void after();

  /** Points are about to be stored in the journal; returns what {@link #end} needs. */
  default int begin() {
    return 0;
  }

  /**
   * Called between {@link #begin} and the storing.
   *
   * @param firstHour the least base time of their rows
   * @param lastHour the greatest
   * @param rows the keys of their rows
   * @throws org.hourstone.kv.StoreException if they may not be stored
   */
  default void changing(long firstHour, long lastHour, Supplier<List<byte[]>> rows) {}

  /** The points are in their rows, or have failed. */
  default void end(int begun) {}
}
