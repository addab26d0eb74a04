package org.hourstone.kv.rocksdb;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Columns;
import org.hourstone.kv.RowCodec;

/** Codes some cells of a row together: their write times, lengths, and their bytes inverted. */
public final class MirrorsCodec implements RowCodec {
  private static final byte VERSION = 0x4E;

  @Override
  public String name() {
    return "mirrors-1";
  }

  @Override
  public boolean codes(byte[] qualifier) {
    return qualifier.length >= 3 && (qualifier[qualifier.length - 1] & 1) == 0;
  }

  @Override
  public byte[] encode(List<Cell> cells) {
    int size = 1;
    for (Cell cell : cells) {
      size += Long.BYTES + 2 * Integer.BYTES + cell.qualifier().length + cell.value().length;
    }
    ByteBuffer coded = ByteBuffer.allocate(size).put(VERSION);
    for (Cell cell : cells) {
      coded.putLong(cell.writeTime());
      put(coded, cell.qualifier());
      put(coded, cell.value());
    }
    return coded.array();
  }

  private static void put(ByteBuffer coded, byte[] bytes) {
    coded.putInt(bytes.length);
    for (byte each : bytes) {
      coded.put((byte) ~each);
    }
  }

  @Override
  public List<Cell> decode(byte[] bytes, int from, int to, long newest, Columns columns) {
    ByteBuffer coded = ByteBuffer.wrap(bytes, from, to - from);
    if (to == from || coded.get() != VERSION) {
      throw new IllegalArgumentException("no mirrors of cells");
    }
    List<Cell> cells = new ArrayList<>();
    while (coded.hasRemaining()) {
      long time = coded.getLong();
      cells.add(new Cell(next(coded), next(coded), time));
    }
    return cells;
  }

  private static byte[] next(ByteBuffer coded) {
    byte[] bytes = new byte[coded.getInt()];
    coded.get(bytes);
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) ~bytes[i];
    }
    return bytes;
  }
}
