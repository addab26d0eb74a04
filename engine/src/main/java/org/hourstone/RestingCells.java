package org.hourstone;

import org.hourstone.codec.CompactedCell;
import org.hourstone.codec.rest.RestingCell;
import org.hourstone.codec.rest.RestingEncoder;
import org.hourstone.kv.CellCodec;

/**
 * How a store may keep cells of points smaller. See {@code docs/format/at-rest.md}. Public only to
 * be found by stores.
 */
public final class RestingCells implements CellCodec {
  /** Shorter qualifiers are of single points, and of cells that this coding does not shorten. */
  private static final int LEAST_QUALIFIER = 6;

  @Override
  public String name() {
    return RestingCell.NAME;
  }

  @Override
  public boolean codes(byte[] qualifier) {
    return qualifier.length >= LEAST_QUALIFIER && qualifier.length % 2 == 0;
  }

  @Override
  public byte[] encode(byte[] qualifier, byte[] value) {
    return RestingCell.encode(qualifier, value);
  }

  @Override
  public Encoder encoder() {
    return new RestingEncoder()::encode;
  }

  @Override
  public Decoded decode(byte[] bytes, int from, int to) {
    CompactedCell cell = RestingCell.decode(bytes, from, to);
    return new Decoded(cell.qualifier(), cell.value());
  }

  @Override
  public Decoded undecodable(byte[] start) {
    CompactedCell cell = RestingCell.undecodable(start);
    return new Decoded(cell.qualifier(), cell.value());
  }
}
