package org.hourstone.kv.rocksdb;

import java.util.Arrays;
import org.hourstone.kv.CellCodec;
import org.hourstone.kv.CellCodecs;
import org.hourstone.kv.CodedCell;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.StoreException;
import org.jspecify.annotations.Nullable;

/**
 * How the cells of a coded family are stored: the codec and the keys. For a cell with a qualifier
 * of the bytes q0 q1 q2 …, the encoded row in the key is followed by one of these:
 *
 * <pre>
 *   place       q0 q1 FF FF             one whole cell that the codec codes, so that its key need not contain a qualifier of hundreds of bytes
 *   directly    q0 q1 q2 …              any other cell, under its qualifier
 *               q0 q1 FF FF FF q4 …     with FF inserted, if its bytes q2 and q3 are FF
 * </pre>
 *
 * <p>The forms are disjoint: a key of the second form does not have FF FF after q0 q1, or ends
 * earlier; a key of the third form is longer than a place. Directly stored cells have the order of
 * their qualifiers: of two qualifiers with the same beginning, FF is inserted either in both or in
 * the greater one.
 *
 * <p><strong>Invariant:</strong> a cell is stored once, either in the place of its first two bytes
 * or directly. The codec's cells of a row that share these two bytes share a place: the first cell
 * that is written while the place is free takes it, and the others are stored directly until they
 * are deleted.
 *
 * <p>If the value in a place can't be decoded, or decodes to a cell that belongs to another place,
 * it is read as the codec's {@link CellCodec#undecodable} cell, which belongs to that place.
 *
 * <p>Thread-safe.
 */
final class Coding {
  private static final int MIN_QUALIFIER = 6;
  private static final int PREFIX = 2;
  private static final int PLACE = 4;
  private static final byte FF = (byte) 0xFF;

  private final Family family;
  private final String name;
  private final RocksDbErrors errors;
  private volatile @Nullable CellCodec codec;

  /**
   * @param name the name of the codec with which the family was created
   */
  Coding(Family family, String name, RocksDbErrors errors) {
    this.family = family;
    this.name = name;
    this.errors = errors;
  }

  /** Supplies a codec, which is used if it is the family's. */
  void supply(@Nullable CellCodec supplied) {
    if (supplied != null && supplied.name().equals(name)) {
      codec = supplied;
    }
  }

  /**
   * Whether a cell with this qualifier is coded if it is in its place.
   *
   * @throws StoreException REJECTED if that depends on the codec and the codec is not available
   */
  boolean codes(byte[] qualifier) {
    return qualifier.length >= MIN_QUALIFIER && codec().codes(qualifier);
  }

  /**
   * Whether the key of a cell with this qualifier may end with something other than the qualifier.
   */
  boolean places(byte[] qualifier) {
    return isHigh(qualifier, 0, qualifier.length) || codes(qualifier);
  }

  /** An encoder for its cells, for one thread. */
  CellCodec.Encoder encoder() {
    return codec().encoder();
  }

  /** The cell in a place, from its stored value of this length. */
  CellCodec.Decoded decode(byte[] row, byte[] place, byte[] stored, int length) {
    return decodeBase(place, stored, baseEnd(row, place, stored, length));
  }

  /** The cell in a place, to be decoded later. */
  CodedCell keep(byte[] row, byte[] place, byte[] stored, int length) {
    byte[] bytes = Arrays.copyOf(stored, baseEnd(row, place, stored, length));
    return new Kept(this, place, bytes);
  }

  private int baseEnd(byte[] row, byte[] place, byte[] stored, int length) {
    try {
      return StampedValue.baseEnd(stored, length);
    } catch (StampedValue.Malformed e) {
      throw errors.malformed(family, row, place, e);
    }
  }

  private CellCodec.Decoded decodeBase(byte[] place, byte[] bytes, int end) {
    try {
      CellCodec.Decoded cell = codec().decode(bytes, 0, end);
      byte[] qualifier = cell.qualifier();
      if (codes(qualifier) && Arrays.equals(place(qualifier), place)) {
        return cell;
      }
    } catch (IllegalArgumentException e) {
      // it would be a cell of another place
    }
    return codec().undecodable(Arrays.copyOf(place, PREFIX));
  }

  private record Kept(Coding coding, byte[] place, byte[] bytes) implements CodedCell {
    @Override
    public String codec() {
      return coding.name;
    }

    @Override
    public byte[] start() {
      return Arrays.copyOf(place, PREFIX);
    }

    @Override
    public CellCodec.Decoded decode() {
      return coding.decodeBase(place, bytes, bytes.length);
    }
  }

  private CellCodec codec() {
    CellCodec known = codec;
    if (known == null) {
      known = CellCodecs.find(name);
      if (known == null) {
        throw errors.rejected(
            "the cells of " + family + " are coded with " + name + ", which is not known here");
      }
      codec = known;
    }
    return known;
  }

  /** The end of the key of a qualifier's place; the qualifier has at least two bytes. */
  static byte[] place(byte[] qualifier) {
    return new byte[] {qualifier[0], qualifier[1], FF, FF};
  }

  /** The end of the key of a directly stored cell. */
  static byte[] direct(byte[] qualifier) {
    if (!isHigh(qualifier, 0, qualifier.length)) {
      return qualifier;
    }
    byte[] end = new byte[qualifier.length + 1];
    System.arraycopy(qualifier, 0, end, 0, PLACE);
    end[PLACE] = FF;
    System.arraycopy(qualifier, PLACE, end, PLACE + 1, qualifier.length - PLACE);
    return end;
  }

  /** Whether a key with an encoded row up to {@code rowEnd} is that of a place. */
  static boolean isPlace(byte[] key, int rowEnd, int keyLength) {
    return keyLength == rowEnd + PLACE && isHigh(key, rowEnd, keyLength);
  }

  /** The qualifier of a directly stored cell, from its key. */
  static byte[] qualifier(byte[] key, int rowEnd, int keyLength) {
    if (!isHigh(key, rowEnd, keyLength)) {
      return Arrays.copyOfRange(key, rowEnd, keyLength);
    }
    byte[] qualifier = new byte[keyLength - rowEnd - 1];
    System.arraycopy(key, rowEnd, qualifier, 0, PLACE);
    System.arraycopy(key, rowEnd + PLACE + 1, qualifier, PLACE, qualifier.length - PLACE);
    return qualifier;
  }

  /**
   * A lower bound, inclusive, of the ends of keys of all cells with a qualifier not less than this
   * one.
   */
  static byte[] lower(byte[] start) {
    return isHigh(start, 0, start.length) ? place(start) : start;
  }

  /**
   * An upper bound, exclusive, of the ends of keys of all cells with a qualifier less than this
   * one.
   */
  static byte[] upper(byte[] stop) {
    if (stop.length <= PREFIX) {
      return stop;
    }
    return isHigh(stop, 0, stop.length) ? direct(stop) : Arrays.copyOf(place(stop), PLACE + 1);
  }

  /** Whether columns may include the cell in a place, judging by its key. */
  static boolean mayInclude(Columns columns, byte[] key, int rowEnd) {
    byte[] prefix = {key[rowEnd], key[rowEnd + 1]};
    if (columns instanceof Columns.Range range) {
      byte[] start = range.start();
      byte[] stop = range.stop();
      int common = Math.min(start.length, PREFIX);
      return Arrays.compareUnsigned(prefix, 0, PREFIX, start, 0, common) >= 0
          && (stop == null || Arrays.compareUnsigned(prefix, stop) < 0);
    }
    if (columns instanceof Columns.Exact exact) {
      for (byte[] wanted : exact.qualifiers()) {
        if (wanted.length >= MIN_QUALIFIER && wanted[0] == prefix[0] && wanted[1] == prefix[1]) {
          return true;
        }
      }
      return false;
    }
    return true;
  }

  private static boolean isHigh(byte[] bytes, int from, int to) {
    return to - from >= PLACE && bytes[from + 2] == FF && bytes[from + 3] == FF;
  }
}
