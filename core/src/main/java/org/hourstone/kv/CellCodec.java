package org.hourstone.kv;

/**
 * A lossless coding of whole cells, one by one. Thread-safe, without state; {@link Encoder
 * encoders} are not.
 */
public non-sealed interface CellCodec extends FamilyCodec {
  /**
   * {@inheritDoc}
   *
   * <p>True only for qualifiers of 6 bytes or more.
   */
  @Override
  boolean codes(byte[] qualifier);

  /** The coded form of a cell with any value; never fails for a qualifier that {@link #codes}. */
  byte[] encode(byte[] qualifier, byte[] value);

  /**
   * For coding many cells one after another, as a store does that writes a batch. The encoder may
   * use working space again; a codec that has none need not implement this.
   */
  default Encoder encoder() {
    return this::encode;
  }

  /**
   * The cell that was encoded.
   *
   * @param bytes contain the coded form
   * @param from its first byte
   * @param to the index after its last byte
   * @throws IllegalArgumentException if the bytes are not such a form; the message says what is
   *     wrong
   */
  Decoded decode(byte[] bytes, int from, int to);

  /**
   * A cell that is read in place of one whose coded form can't be decoded, so that the other cells
   * of its row are read, and it can be removed like any cell. Readers treat it as corrupt.
   *
   * @param start the first two bytes of the qualifier
   * @return a cell whose qualifier begins with {@code start} and is one that {@link #codes}; equal
   *     for equal arguments
   */
  Decoded undecodable(byte[] start);

  /** Codes cells one after another. For one thread at a time. */
  interface Encoder {
    /**
     * As {@link CellCodec#encode}: the result is equal to its result, and not changed later. The
     * arguments are not kept.
     */
    byte[] encode(byte[] qualifier, byte[] value);
  }
}
