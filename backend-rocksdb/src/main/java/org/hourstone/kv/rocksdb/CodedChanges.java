package org.hourstone.kv.rocksdb;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.hourstone.kv.Cell;
import org.hourstone.kv.CellCodec;
import org.hourstone.kv.FlatKeys;
import org.jspecify.annotations.Nullable;

/**
 * Changes of cells of a coded family: determines where each cell is or will be stored, and
 * preserves the invariant of {@link Coding}. The lock of every changed row must be held from before
 * the cells are read until the batch is written. All changes of a row must be consecutive, with at
 * most one for each qualifier, so that each change knows the effect of the previous ones on a
 * place.
 */
final class CodedChanges implements CellChanges {
  private static final byte[] NONE = new byte[0];

  private final Coding coding;
  private final BatchBuffer batch;
  private final CellIterator present;

  private CellCodec.@Nullable Encoder encoder;

  /** The row of the latest change of a coded cell. */
  private byte[] current = NONE;

  /**
   * By the two bytes of a place: the qualifier of the cell in it after the changes so far; empty
   * for none.
   */
  private final Map<Integer, byte[]> occupants = new HashMap<>();

  /**
   * @param batch receives the changes to write
   * @param present reads the existing cells while the locks are held
   */
  CodedChanges(Coding coding, BatchBuffer batch, CellIterator present) {
    this.coding = coding;
    this.batch = batch;
    this.present = present;
  }

  @Override
  public void put(byte[] row, byte[] qualifier, byte[] value, long time) {
    if (belongsInPlace(row, qualifier)) {
      batch.put(row, CodedKeys.place(qualifier), encode(qualifier, value), time);
      occupants.put(prefix(qualifier), qualifier);
    } else {
      batch.put(row, CodedKeys.direct(qualifier), value, time);
    }
  }

  /** One encoder codes all cells of the batch. */
  private byte[] encode(byte[] qualifier, byte[] value) {
    if (encoder == null) {
      encoder = coding.encoder();
    }
    return encoder.encode(qualifier, value);
  }

  /** Not blind in a place: the existing cell is decoded, and coded again with the suffix. */
  @Override
  public void append(byte[] row, byte[] qualifier, byte[] suffix, long time) {
    if (belongsInPlace(row, qualifier)) {
      Cell cell = inPlace(row, qualifier);
      if (cell == null || !Arrays.equals(cell.qualifier(), qualifier)) {
        put(row, qualifier, suffix, time);
      } else {
        put(row, qualifier, joined(cell.value(), suffix), time);
      }
    } else {
      batch.append(row, CodedKeys.direct(qualifier), suffix, time);
    }
  }

  @Override
  public void delete(byte[] row, byte[] qualifier) {
    if (coding.codes(qualifier) && Arrays.equals(occupant(row, qualifier), qualifier)) {
      batch.delete(row, CodedKeys.place(qualifier));
      occupants.put(prefix(qualifier), NONE);
    } else {
      batch.delete(row, CodedKeys.direct(qualifier));
    }
  }

  @Override
  public void deleteRow(byte[] row) {
    batch.deleteRow(row);
  }

  /** Whether a cell is in its place or, if it is absent, will be stored there. */
  private boolean belongsInPlace(byte[] row, byte[] qualifier) {
    if (!coding.codes(qualifier)) {
      return false;
    }
    // Checked first, because its key is before the place: if it is absent, one seek finds both.
    boolean direct = present.find(FlatKeys.cell(row, CodedKeys.direct(qualifier)));
    byte[] occupant = occupant(row, qualifier);
    return occupant.length == 0 ? !direct : Arrays.equals(occupant, qualifier);
  }

  private byte[] occupant(byte[] row, byte[] qualifier) {
    if (current != row) {
      current = row;
      occupants.clear();
    }
    return occupants.computeIfAbsent(
        prefix(qualifier),
        unknown -> {
          Cell cell = inPlace(row, qualifier);
          return cell == null ? NONE : cell.qualifier();
        });
  }

  private @Nullable Cell inPlace(byte[] row, byte[] qualifier) {
    List<Cell> cells = present.inPlace(row, CodedKeys.place(qualifier)).cells();
    return cells.isEmpty() ? null : cells.get(0);
  }

  private static int prefix(byte[] qualifier) {
    return Byte.toUnsignedInt(qualifier[0]) << Byte.SIZE | Byte.toUnsignedInt(qualifier[1]);
  }

  private static byte[] joined(byte[] value, byte[] suffix) {
    byte[] both = Arrays.copyOf(value, value.length + suffix.length);
    System.arraycopy(suffix, 0, both, value.length, suffix.length);
    return both;
  }
}
