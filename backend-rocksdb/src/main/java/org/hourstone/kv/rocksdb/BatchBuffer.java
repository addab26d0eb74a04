package org.hourstone.kv.rocksdb;

import java.util.Arrays;
import org.hourstone.kv.FlatKeys;

/**
 * A RocksDB write batch for one column family, built in one array so that a batch costs one native
 * call and no object per cell. The format is that of RocksDB's log, so RocksDB must continue to
 * read it:
 *
 * <pre>
 *   +-- sequence, 8 --+-- records, 4, little-endian --+-- record --+-- record --+ ...
 *   record: kind, family, length of key, key [, length of value, value]; numbers as base-128 varints
 * </pre>
 *
 * <p>The sequence number is filled in by RocksDB. Not thread-safe.
 */
final class BatchBuffer implements CellChanges {
  /** Less than the largest array. */
  static final int MAX_BYTES = 2_000_000_000;

  private static final byte[] NONE = {};
  private static final int HEADER = 12;
  private static final int COUNT_AT = 8;
  private static final int VARINT = 5;

  private static final byte DELETION = 0x4;
  private static final byte VALUE = 0x5;
  private static final byte MERGE = 0x6;
  private static final byte RANGE_DELETION = 0xE;

  private final int family;
  private final long epoch;
  private final int most;
  private final RocksDbErrors errors;
  private byte[] bytes;
  private int size = HEADER;
  private int records;

  /**
   * @param family RocksDB's number of the column family
   * @param epoch the store's, see {@link StampedValue}
   * @param bytes the array used for the batch, replaced if the batch becomes larger; its content is
   *     arbitrary
   * @param most the maximum number of bytes; a change that exceeds it fails, REJECTED
   */
  BatchBuffer(int family, long epoch, byte[] bytes, int most, RocksDbErrors errors) {
    this.family = family;
    this.epoch = epoch;
    this.most = most;
    this.errors = errors;
    this.bytes = bytes;
  }

  @Override
  public void put(byte[] row, byte[] qualifier, byte[] value, long time) {
    cell(VALUE, row, qualifier);
    int length = StampedValue.baseLength(value.length, time, epoch);
    reserve(VARINT + length);
    varint(length);
    size = StampedValue.writeBase(value, time, epoch, bytes, size);
  }

  @Override
  public void append(byte[] row, byte[] qualifier, byte[] suffix, long time) {
    cell(MERGE, row, qualifier);
    int length = StampedValue.appendLength(suffix.length, time, epoch);
    reserve(VARINT + length);
    varint(length);
    size = StampedValue.writeAppend(suffix, time, epoch, bytes, size);
  }

  @Override
  public void delete(byte[] row, byte[] qualifier) {
    cell(DELETION, row, qualifier);
  }

  @Override
  public void deleteRow(byte[] row) {
    byte[] from = FlatKeys.bound(row);
    byte[] to = FlatKeys.afterRow(row);
    begin(RANGE_DELETION, from.length + to.length + VARINT);
    bytes(from);
    bytes(to);
  }

  boolean isEmpty() {
    return records == 0;
  }

  /** The batch in RocksDB's format. */
  byte[] toBytes() {
    byte[] batch = new byte[size];
    System.arraycopy(bytes, HEADER, batch, HEADER, size - HEADER);
    for (int i = 0; i < Integer.BYTES; i++) {
      batch[COUNT_AT + i] = (byte) (records >>> (i * Byte.SIZE));
    }
    return batch;
  }

  /** The array, which the batch no longer uses. */
  byte[] release() {
    byte[] released = bytes;
    bytes = NONE;
    return released;
  }

  private void cell(byte kind, byte[] row, byte[] qualifier) {
    int length = FlatKeys.encodedLength(row.length) + qualifier.length;
    begin(kind, length);
    varint(length);
    size = FlatKeys.encode(row, bytes, size);
    System.arraycopy(qualifier, 0, bytes, size, qualifier.length);
    size += qualifier.length;
  }

  private void begin(byte kind, int length) {
    reserve(1 + 2 * VARINT + length);
    bytes[size++] = kind;
    varint(family);
    records++;
  }

  private void bytes(byte[] added) {
    varint(added.length);
    System.arraycopy(added, 0, bytes, size, added.length);
    size += added.length;
  }

  private void varint(int number) {
    int rest = number;
    for (; rest >= 0x80; rest >>>= 7) {
      bytes[size++] = (byte) (rest | 0x80);
    }
    bytes[size++] = (byte) rest;
  }

  private void reserve(int more) {
    if (more > most - size) {
      throw errors.rejected("a batch of more than " + most + " bytes");
    }
    if (bytes.length - size < more) {
      bytes = Arrays.copyOf(bytes, Math.max(size + more, 2 * Math.min(size, MAX_BYTES / 2)));
    }
  }
}
