package org.hourstone;

import org.hourstone.codec.CompactedCell;
import org.hourstone.codec.coded.CodedPoints;
import org.hourstone.codec.coded.PointsEncoder;
import org.hourstone.kv.CellCodec;

/**
 * How a store may keep cells of points smaller. See {@code docs/format/coded-cells.md}. Public only
 * to be found by stores.
 */
public final class PointsCodec implements CellCodec {
  /** Shorter qualifiers are of single points, and of cells that this coding does not shorten. */
  private static final int LEAST_QUALIFIER = 6;

  @Override
  public String name() {
    return CodedPoints.NAME;
  }

  @Override
  public boolean codes(byte[] qualifier) {
    return qualifier.length >= LEAST_QUALIFIER && qualifier.length % 2 == 0;
  }

  @Override
  public byte[] encode(byte[] qualifier, byte[] value) {
    return CodedPoints.encode(qualifier, value);
  }

  @Override
  public Encoder encoder() {
    return new PointsEncoder()::encode;
  }

  @Override
  public Decoded decode(byte[] bytes, int from, int to) {
    CompactedCell cell = CodedPoints.decode(bytes, from, to);
    return new Decoded(cell.qualifier(), cell.value());
  }

  @Override
  public Decoded undecodable(byte[] start) {
    CompactedCell cell = CodedPoints.undecodable(start);
    return new Decoded(cell.qualifier(), cell.value());
  }
}
