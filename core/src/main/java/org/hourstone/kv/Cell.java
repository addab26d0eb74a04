package org.hourstone.kv;

/**
 * One cell outside a {@link Row}: what {@link KeyValueStore#replaceCells} writes.
 *
 * @param writeTime as in {@link Change.Put}
 */
public record Cell(byte[] qualifier, byte[] value, long writeTime) {
  public Cell(byte[] qualifier, byte[] value) {
    this(qualifier, value, Change.Put.STORE_TIME);
  }
}
