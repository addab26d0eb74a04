package org.hourstone.kv;

import java.util.List;

/**
 * All cells of a row as its store keeps them, coded with the {@link RowCodec} of its family: for
 * readers that know the codec and don't need the cells' bytes. Immutable by agreement, like a
 * {@link Row}.
 */
public interface CodedRow {
  /**
   * Some of the cells.
   *
   * @param bytes contain the coded form, and must not be modified
   * @param from its first byte
   * @param to the index after its last byte
   * @param newest the latest write time of its cells
   */
  record Form(byte[] bytes, int from, int to, long newest) {}

  /** The {@linkplain RowCodec#name name} of the codec. */
  String codec();

  /** At least one, the oldest first; of a cell that is in several, the last one counts. */
  List<Form> forms();

  /**
   * The row with the cells that were encoded.
   *
   * @throws StoreException if a form can't be decoded
   */
  Row decode();
}
