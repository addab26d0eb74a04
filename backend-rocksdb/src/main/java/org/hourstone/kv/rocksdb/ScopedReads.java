package org.hourstone.kv.rocksdb;

import java.util.List;
import org.hourstone.kv.Checks;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.FlatKeys;
import org.hourstone.kv.KeyValueReader;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.Scan;

/** The reads of a store, each inside of its scope. */
record ScopedReads(Scope scope, RowReader reader) implements KeyValueReader {
  @Override
  public Row get(Family family, byte[] row, Columns columns) {
    Checks.row(row);
    scope.enter();
    try {
      return reader.get(family, row, columns);
    } finally {
      scope.leave();
    }
  }

  @Override
  public List<Row> get(Family family, List<byte[]> rows, Columns columns) {
    Checks.rows(rows);
    scope.enter();
    try {
      return reader.get(family, rows, columns);
    } finally {
      scope.leave();
    }
  }

  @Override
  public RowCursor scan(Family family, Scan scan) {
    byte[] stop = scan.stop();
    byte[] upper = stop == null ? FlatKeys.beyondAll() : FlatKeys.bound(stop);
    scope.enter();
    try {
      return RocksDbCursor.open(scope, scan, reader.iterator(family, upper));
    } finally {
      scope.leave();
    }
  }
}
