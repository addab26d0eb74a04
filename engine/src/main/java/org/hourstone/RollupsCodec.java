package org.hourstone;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.hourstone.codec.coded.CodedRollups;
import org.hourstone.codec.coded.PlainCell;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Columns;
import org.hourstone.kv.RowCodec;

/**
 * How a store may keep rows of rolled-up values smaller. See {@code docs/format/coded-cells.md}.
 * Public only to be found by stores.
 */
public final class RollupsCodec implements RowCodec {
  @Override
  public String name() {
    return CodedRollups.NAME;
  }

  @Override
  public boolean codes(byte[] qualifier) {
    return CodedRollups.codes(qualifier);
  }

  @Override
  public byte[] encode(List<Cell> cells) {
    long newest = cells.get(0).writeTime();
    for (Cell cell : cells) {
      newest = Math.max(newest, cell.writeTime());
    }
    List<PlainCell> plain = new ArrayList<>(cells.size());
    for (Cell cell : cells) {
      plain.add(new PlainCell(cell.qualifier(), cell.value(), newest - cell.writeTime()));
    }
    return CodedRollups.encode(plain);
  }

  @Override
  public List<Cell> decode(byte[] bytes, int from, int to, long newest, Columns columns) {
    List<PlainCell> plain = CodedRollups.decode(bytes, from, to, id -> mayInclude(columns, id));
    List<Cell> cells = new ArrayList<>(plain.size());
    byte[] before = {};
    for (PlainCell cell : plain) {
      byte[] qualifier = cell.qualifier();
      if (!codes(qualifier) || Arrays.compareUnsigned(before, qualifier) >= 0) {
        throw new IllegalArgumentException(
            "a cell " + new Bytes(qualifier) + " after " + new Bytes(before));
      }
      if (cell.age() > newest) {
        throw new IllegalArgumentException("a cell of an age of " + cell.age() + " ms");
      }
      cells.add(new Cell(qualifier, cell.value(), newest - cell.age()));
      before = qualifier;
    }
    return cells;
  }

  private static boolean mayInclude(Columns columns, int id) {
    if (!(columns instanceof Columns.Range range)) {
      return true;
    }
    byte[] first = {(byte) id};
    byte[] afterLast = {(byte) (id + 1)};
    byte[] stop = range.stop();
    return Arrays.compareUnsigned(range.start(), afterLast) < 0
        && (stop == null || Arrays.compareUnsigned(first, stop) < 0);
  }
}
