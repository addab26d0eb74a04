package org.hourstone.kv;

/**
 * A cell as its store keeps it, coded with the {@link CellCodec} of its family: for readers that
 * know the codec and don't need the cell's bytes. Immutable by agreement, like a {@link Row}.
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
   * a form, or that of a cell that begins otherwise.
   */
  FamilyCodec.Decoded decode();
}
