package org.hourstone.kv.rocksdb;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.hourstone.kv.Cell;
import org.hourstone.kv.CellCodec;
import org.hourstone.kv.CodedCell;
import org.hourstone.kv.CodedRow;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilyCodec;
import org.hourstone.kv.FamilyCodecs;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCodec;
import org.hourstone.kv.StoreException;
import org.jspecify.annotations.Nullable;

/**
 * How the cells of a coded family are stored: the codec, and what is in a place. The keys of places
 * and of other cells are those of {@link CodedKeys}.
 *
 * <p><strong>Invariant of a {@link CellCodec}:</strong> a cell is stored once, either in the place
 * of its first two bytes or directly. The codec's cells of a row that share these two bytes share a
 * place: the first cell that is written while the place is free takes it, and the others are stored
 * directly until they are deleted.
 *
 * <p>If the value in a place can't be decoded, or decodes to a cell that belongs to another place,
 * it is read as the codec's {@link CellCodec#undecodable} cell, which belongs to that place.
 *
 * <p><strong>Invariant of a {@link RowCodec}:</strong> all cells of a row that the codec codes are
 * in the row's one place, in one or several coded forms, each a segment of a {@link StampedValue}
 * with the latest write time of its cells; of a cell that is in several, the last one counts.
 *
 * <p>Thread-safe.
 */
final class Coding {
  private final Family family;
  private final String name;
  private final RocksDbErrors errors;
  private volatile @Nullable FamilyCodec codec;

  /**
   * @param name the name of the codec with which the family was created
   */
  Coding(Family family, String name, RocksDbErrors errors) {
    this.family = family;
    this.name = name;
    this.errors = errors;
  }

  /** Supplies a codec, which is used if it is the family's. */
  void supply(@Nullable FamilyCodec supplied) {
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
    return qualifier.length > CodedKeys.PREFIX && codec().codes(qualifier);
  }

  /**
   * Whether the key of a cell with this qualifier may end with something other than the qualifier.
   */
  boolean places(byte[] qualifier) {
    return CodedKeys.isHigh(qualifier, 0, qualifier.length) || codes(qualifier);
  }

  /** Whether a cell with this qualifier may be stored directly. */
  boolean mayBeDirect(byte[] qualifier) {
    return !codes(qualifier) || isOfCells();
  }

  /** The end of the key of the place of a qualifier that it {@link #codes}. */
  byte[] place(byte[] qualifier) {
    return codec() instanceof RowCodec ? CodedKeys.ofRow() : CodedKeys.place(qualifier);
  }

  /**
   * Translates changes of cells to those of keys.
   *
   * @param batch receives the changes to write
   * @param present reads the existing cells while the locks are held
   */
  CellChanges changes(BatchBuffer batch, CellIterator present) {
    return codec() instanceof RowCodec rows
        ? new RowChanges(this, rows, batch, present)
        : new CodedChanges(this, batch, present);
  }

  /** An encoder for its cells, for one thread; only of a {@link CellCodec}. */
  CellCodec.Encoder encoder() {
    return ofCells().encoder();
  }

  private CellCodec ofCells() {
    return (CellCodec) codec();
  }

  /**
   * The cells in a place.
   *
   * @param cells that it has, ascending by qualifier
   * @param forms in how many coded forms they are
   */
  record Placed(List<Cell> cells, int forms) {
    static final Placed NONE = new Placed(List.of(), 0);

    /** The cell with this qualifier; null if the place lacks it. */
    @Nullable Cell find(byte[] qualifier) {
      int low = 0;
      int high = cells.size() - 1;
      while (low <= high) {
        int middle = (low + high) >>> 1;
        int order = Arrays.compareUnsigned(cells.get(middle).qualifier(), qualifier);
        if (order == 0) {
          return cells.get(middle);
        }
        low = order < 0 ? middle + 1 : low;
        high = order > 0 ? middle - 1 : high;
      }
      return null;
    }
  }

  /**
   * The cells in a place, from its stored value of this length.
   *
   * @param columns which cells are needed; others may be left out
   */
  Placed decode(byte[] row, byte[] place, byte[] stored, int length, long epoch, Columns columns) {
    try {
      if (codec() instanceof RowCodec) {
        return decode(row, place, StampedValue.forms(stored, length, epoch), columns);
      }
      FamilyCodec.Decoded cell = decodeBase(place, stored, StampedValue.baseEnd(stored, length));
      long time = StampedValue.writeTime(stored, length, epoch);
      return new Placed(List.of(new Cell(cell.qualifier(), cell.value(), time)), 1);
    } catch (StampedValue.Malformed | IllegalArgumentException e) {
      throw errors.malformed(family, row, place, e);
    }
  }

  private Placed decode(byte[] row, byte[] place, List<CodedRow.Form> forms, Columns columns) {
    RowCodec rows = (RowCodec) codec();
    List<Cell> all = new ArrayList<>();
    try {
      for (CodedRow.Form form : forms) {
        all.addAll(rows.decode(form.bytes(), form.from(), form.to(), form.newest(), columns));
      }
    } catch (IllegalArgumentException e) {
      throw errors.malformed(family, row, place, e);
    }
    return new Placed(forms.size() == 1 ? all : lastOfEach(all), forms.size());
  }

  /** The last one of those with the same qualifier. */
  private static List<Cell> lastOfEach(List<Cell> all) {
    all.sort((one, other) -> Arrays.compareUnsigned(one.qualifier(), other.qualifier()));
    List<Cell> last = new ArrayList<>(all.size());
    for (int i = 0; i < all.size(); i++) {
      if (i + 1 == all.size()
          || !Arrays.equals(all.get(i).qualifier(), all.get(i + 1).qualifier())) {
        last.add(all.get(i));
      }
    }
    return last;
  }

  /** Whether a place has one cell, which can be {@linkplain #keep kept} coded. */
  boolean isOfCells() {
    return codec() instanceof CellCodec;
  }

  /**
   * The cells in the place of a row, to be decoded later; none of its cells may be elsewhere. Only
   * of a {@link RowCodec}.
   */
  CodedRow keep(byte[] row, byte[] place, byte[] stored, int length, long epoch) {
    try {
      byte[] bytes = Arrays.copyOf(stored, length);
      List<CodedRow.Form> forms = StampedValue.forms(bytes, length, epoch);
      return new KeptRow(this, row, place, forms);
    } catch (StampedValue.Malformed e) {
      throw errors.malformed(family, row, place, e);
    }
  }

  /** The cell in a place, to be decoded later. */
  CodedCell keep(byte[] row, byte[] place, byte[] stored, int length) {
    try {
      byte[] bytes = Arrays.copyOf(stored, StampedValue.baseEnd(stored, length));
      return new Kept(this, place, bytes);
    } catch (StampedValue.Malformed e) {
      throw errors.malformed(family, row, place, e);
    }
  }

  private FamilyCodec.Decoded decodeBase(byte[] place, byte[] bytes, int end) {
    CellCodec codec = ofCells();
    try {
      FamilyCodec.Decoded cell = codec.decode(bytes, 0, end);
      byte[] qualifier = cell.qualifier();
      if (codes(qualifier) && Arrays.equals(place(qualifier), place)) {
        return cell;
      }
    } catch (IllegalArgumentException e) {
      // it would be a cell of another place
    }
    return codec.undecodable(Arrays.copyOf(place, CodedKeys.PREFIX));
  }

  private record Kept(Coding coding, byte[] place, byte[] bytes) implements CodedCell {
    @Override
    public String codec() {
      return coding.name;
    }

    @Override
    public byte[] start() {
      return Arrays.copyOf(place, CodedKeys.PREFIX);
    }

    @Override
    public FamilyCodec.Decoded decode() {
      return coding.decodeBase(place, bytes, bytes.length);
    }
  }

  private record KeptRow(Coding coding, byte[] row, byte[] place, List<CodedRow.Form> forms)
      implements CodedRow {
    @Override
    public String codec() {
      return coding.name;
    }

    @Override
    public Row decode() {
      List<Cell> cells = coding.decode(row, place, forms, Columns.all()).cells();
      return Row.of(
          row,
          cells.stream().map(Cell::qualifier).toArray(byte[][]::new),
          cells.stream().map(Cell::value).toArray(byte[][]::new),
          cells.stream().mapToLong(Cell::writeTime).toArray());
    }
  }

  private FamilyCodec codec() {
    FamilyCodec known = codec;
    if (known == null) {
      known = FamilyCodecs.find(name);
      if (known == null) {
        throw errors.rejected(
            "the cells of " + family + " are coded with " + name + ", which is not known here");
      }
      codec = known;
    }
    return known;
  }

  /**
   * A lower bound, inclusive, of the ends of keys of all cells with a qualifier not less than this
   * one.
   */
  byte[] lower(byte[] start) {
    return codec() instanceof RowCodec ? new byte[0] : CodedKeys.lower(start);
  }

  /**
   * An upper bound, exclusive, of the ends of keys of all cells with a qualifier less than this
   * one; null if keys have no such bound.
   */
  byte @Nullable [] upper(byte[] stop) {
    return codec() instanceof RowCodec ? null : CodedKeys.upper(stop);
  }

  /** Whether columns may include a cell in a place, judging by its key. */
  boolean mayInclude(Columns columns, byte[] key, int rowEnd) {
    return codec() instanceof RowCodec || CodedKeys.mayInclude(columns, key, rowEnd);
  }
}
