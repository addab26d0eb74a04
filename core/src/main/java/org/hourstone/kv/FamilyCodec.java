package org.hourstone.kv;

/**
 * A lossless coding of cells, which a store may keep instead of their bytes. Thread-safe, without
 * state.
 */
public sealed interface FamilyCodec permits CellCodec, RowCodec {
  /**
   * The name of the coding and its version, such as "points-1"; a store records it with coded
   * cells.
   */
  String name();

  /**
   * Whether cells with this qualifier are coded; depends on the qualifier alone, never changes for
   * a name.
   */
  boolean codes(byte[] qualifier);

  /**
   * A cell as it was before it was coded.
   *
   * @param qualifier of the cell
   * @param value of the cell
   */
  record Decoded(byte[] qualifier, byte[] value) {}
}
