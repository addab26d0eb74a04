package org.hourstone.kv;

/**
 * A cell as its store keeps it, coded with the {@link CellCodec} of its family: for a reader that
 * knows the codec, and so has no need of the cell's bytes. Immutable by agreement, as a {@link Row}
 * is.
 */
public interface CodedCell {
  /** The {@linkplain CellCodec#name name} of the codec. */
  String codec();

  /** The coded form, which must not be modified. */
  byte[] bytes();

  /** The first two bytes of the cell's qualifier, which the store knows without decoding it. */
  byte[] start();

  /**
   * The cell that was encoded; {@link CellCodec#undecodable another one} if the bytes are not such
   * a form, or one of a cell that begins otherwise.
   */
  CellCodec.Decoded decode();
}
