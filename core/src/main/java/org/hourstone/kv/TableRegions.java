package org.hourstone.kv;

import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Extension: the ranges of rows into which a store divides its tables between servers. Thread-safe.
 */
public interface TableRegions {
  /**
   * A range of rows that one server has.
   *
   * @param start first row, inclusive; empty means from the first
   * @param stop last row, exclusive; null means to the last
   * @param server its host and port; empty if no server has it now
   * @param bytes about how much it takes, before replication
   * @param reads how many rows or requests its server has read from it, since it has it
   * @param writes how many rows or requests were written, counted alike
   */
  record Region(
      byte[] start, byte @Nullable [] stop, String server, long bytes, long reads, long writes) {}

  /**
   * The regions of a table, ascending; together they have all rows.
   *
   * @throws StoreException if they can't be read
   */
  List<Region> regions(String table);

  /**
   * Reads the keys of the rows of a table that are in a range, ascending, without their cells.
   *
   * @param stop exclusive; null means to the last
   * @throws StoreException if they can't be read
   */
  void forEachKey(String table, byte[] start, byte @Nullable [] stop, Consumer<byte[]> action);

  /**
   * Splits the region that has a row, and waits until both halves have a server. Readers and
   * writers are not affected.
   *
   * @param key the first row of the second half; it need not exist
   * @throws StoreException if the region was not split, or it is not known whether it was
   */
  void split(String table, byte[] key);
}
