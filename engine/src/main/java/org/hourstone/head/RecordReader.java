package org.hourstone.head;

import java.util.Arrays;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.codec.Qualifier;

/** Reads the value of a journal record, see {@code docs/format/journal.md}. */
final class RecordReader {
  /** Receives what a record says, in its order. */
  interface Visitor {
    /** A row's points are in the data table. */
    void sealed(long row);

    /** A row begins; its points follow. */
    void opened(long row, byte[] key);

    /** Points of a row, as in an append cell: {@code count} bytes of {@code source}. */
    void points(long row, byte[] source, int from, int count);
  }

  private final byte[] record;
  private int at;

  private RecordReader(byte[] record) {
    this.record = record;
  }

  /**
   * @throws CorruptDataException if it is not a record of this version
   */
  static void read(byte[] record, Visitor visitor) {
    new RecordReader(record).read(visitor);
  }

  private void read(Visitor visitor) {
    if (record.length == 0 || record[0] != RecordWriter.VERSION) {
      throw new CorruptDataException(
          record.length == 0 ? "an empty record" : "a record of version " + (record[0] & 0xFF));
    }
    at = 1;
    long least = number();
    while (at < record.length) {
      long tag = number();
      long row = least + (tag >>> RecordWriter.KIND_BITS);
      int kind = (int) tag & ((1 << RecordWriter.KIND_BITS) - 1);
      switch (kind) {
        case RecordWriter.SEALED -> visitor.sealed(row);
        case RecordWriter.OPENED -> {
          int length = length();
          visitor.opened(row, Arrays.copyOfRange(record, at, at + length));
          at += length;
          points(row, visitor);
        }
        case RecordWriter.POINTS -> points(row, visitor);
        default -> throw new CorruptDataException("an entry of kind " + kind + " at byte " + at);
      }
    }
  }

  private void points(long row, Visitor visitor) {
    int count = length();
    int end = at + count;
    int next = at;
    while (next < end) {
      int width = Qualifier.width(record[next]);
      next += next + width > end ? width : width + valueLength(next);
    }
    if (next != end) {
      throw new CorruptDataException("points of " + count + " bytes before byte " + end);
    }
    visitor.points(row, record, at, count);
    at = end;
  }

  private int valueLength(int qualifier) {
    return Qualifier.valueLength(Qualifier.flags(record, qualifier));
  }

  private int length() {
    long length = number();
    if (length < 0 || length > record.length - at) {
      throw new CorruptDataException("a length of " + length + " before byte " + at);
    }
    return (int) length;
  }

  private long number() {
    long number = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      if (at == record.length) {
        throw new CorruptDataException("it ends in a number");
      }
      byte next = record[at++];
      number |= (next & 0x7FL) << shift;
      if (next >= 0) {
        return number;
      }
    }
    throw new CorruptDataException("a number of more than 64 bits before byte " + at);
  }
}
