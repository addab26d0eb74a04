package org.hourstone.kv;

import java.util.List;

/**
 * A lossless coding of several cells of a row together, for rows of many small cells. Thread-safe,
 * without state.
 */
public non-sealed interface RowCodec extends FamilyCodec {
  /**
   * {@inheritDoc}
   *
   * <p>True only for qualifiers of 3 bytes or more.
   */
  @Override
  boolean codes(byte[] qualifier);

  /**
   * The coded form of some cells of a row with any values; never fails for qualifiers that {@link
   * #codes}.
   *
   * @param cells at least one, ascending by qualifier
   * @return at least one byte
   */
  byte[] encode(List<Cell> cells);

  /**
   * The cells that were encoded, ascending by qualifier.
   *
   * @param bytes contain the coded form
   * @param from its first byte
   * @param to the index after its last byte
   * @param newest the latest write time of the cells, which the coded form need not contain
   * @param columns which cells are needed; others may be left out
   * @throws IllegalArgumentException if the bytes are not such a form; the message says what is
   *     wrong
   */
  List<Cell> decode(byte[] bytes, int from, int to, long newest, Columns columns);
}
