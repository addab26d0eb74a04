package org.hourstone.kv.rocksdb;

/** Receives changes of cells that will be written together. For one thread. */
interface CellChanges {
  /** Sets a cell. */
  void put(byte[] row, byte[] qualifier, byte[] value, long time);

  /** Appends to a cell. */
  void append(byte[] row, byte[] qualifier, byte[] suffix, long time);

  /** Removes a cell. */
  void delete(byte[] row, byte[] qualifier);

  /** Removes all cells of a row. */
  void deleteRow(byte[] row);

  /** Ends the changes of the last row. */
  default void end() {}
}
