package org.hourstone.head;

import java.util.Arrays;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.codec.Qualifier;

/**
 * Reads the value of a journal record, see {@code docs/format/journal.md}: also of version 1, in
 * which entries have the points of a row one after another.
 */
final class RecordReader {
  private static final int FIRST_VERSION = 1;
  private static final int MOST_BYTES_OF_POINT = 12;

  /** Receives what a record says, in its order. */
  interface Visitor {
    /** A row's points are in the data table. */
    void sealed(long row);

    /** A row begins; its points follow. */
    void opened(long row, byte[] key);

    /**
     * Points of a row, as in an append cell: {@code count} bytes of {@code source}, which may be
     * others later.
     */
    void points(long row, byte[] source, int from, int count);
  }

  private final byte[] record;
  private final Visitor visitor;
  private int at = 1;

  /** The last qualifier, and then a value. */
  private final byte[] point = new byte[MOST_BYTES_OF_POINT];

  /** The length of the last qualifier; 0 if there was none. */
  private int width;

  private RecordReader(byte[] record, Visitor visitor) {
    this.record = record;
    this.visitor = visitor;
  }

  /**
   * @throws CorruptDataException if it is not a record of a known version
   */
  static void read(byte[] record, Visitor visitor) {
    int version = record.length == 0 ? 0 : record[0] & 0xFF;
    RecordReader reader = new RecordReader(record, visitor);
    switch (version) {
      case FIRST_VERSION -> reader.readFirstVersion();
      case RecordWriter.VERSION -> reader.read();
      default ->
          throw new CorruptDataException(
              record.length == 0 ? "an empty record" : "a record of version " + version);
    }
  }

  private void read() {
    long next = 0;
    while (at < record.length) {
      long tag = number();
      long away = tag >>> RecordWriter.KIND_BITS;
      long row = next + ((away >>> 1) ^ -(away & 1));
      switch (kind(tag)) {
        case RecordWriter.SEALED -> visitor.sealed(row);
        case RecordWriter.OPENED -> visitor.opened(row, key());
        case RecordWriter.POINT -> {
          width = Qualifier.width(record[require(1)]);
          System.arraycopy(record, require(width), point, 0, width);
          at += width;
          value(row);
        }
        default -> value(row);
      }
      next = row + 1;
    }
  }

  /** A point with the last qualifier. */
  private void value(long row) {
    if (width == 0) {
      throw new CorruptDataException("a value without a qualifier at byte " + at);
    }
    int length = Qualifier.valueLength(Qualifier.flags(point, 0));
    System.arraycopy(record, require(length), point, width, length);
    at += length;
    visitor.points(row, point, 0, width + length);
  }

  private void readFirstVersion() {
    long least = number();
    while (at < record.length) {
      long tag = number();
      long row = least + (tag >>> RecordWriter.KIND_BITS);
      switch (kind(tag)) {
        case RecordWriter.SEALED -> visitor.sealed(row);
        case RecordWriter.OPENED -> {
          visitor.opened(row, key());
          points(row);
        }
        case RecordWriter.POINT -> points(row);
        default ->
            throw new CorruptDataException("an entry of kind " + kind(tag) + " at byte " + at);
      }
    }
  }

  private static int kind(long tag) {
    return (int) tag & ((1 << RecordWriter.KIND_BITS) - 1);
  }

  private byte[] key() {
    int length = length();
    at += length;
    return Arrays.copyOfRange(record, at - length, at);
  }

  private void points(long row) {
    int count = length();
    int end = at + count;
    int next = at;
    while (next < end) {
      int qualifierLength = Qualifier.width(record[next]);
      next += next + qualifierLength > end ? qualifierLength : qualifierLength + valueLength(next);
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

  /** The next byte's index, if there are as many bytes. */
  private int require(int count) {
    if (count > record.length - at) {
      throw new CorruptDataException("it ends in a point at byte " + at);
    }
    return at;
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
