package org.hourstone.kv.rocksdb;

import java.util.List;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.ReadView;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.Scan;
import org.rocksdb.Snapshot;

/** A RocksDB snapshot. */
final class RocksDbView implements ReadView, Scope.Resource {
  private final Database database;
  private final Scope store;
  private final Snapshot snapshot;
  private final ScopedReads reads;
  private boolean released;

  private RocksDbView(Database database, Scope store) {
    this.database = database;
    this.store = store;
    this.snapshot = database.rocks().getSnapshot();
    this.reads =
        new ScopedReads(new Scope(store, "the snapshot"), new RowReader(database, snapshot));
  }

  static RocksDbView open(Database database, Scope store) {
    store.enter();
    try {
      RocksDbView view = new RocksDbView(database, store);
      store.opened(view);
      return view;
    } finally {
      store.leave();
    }
  }

  @Override
  public Row get(Family family, byte[] row, Columns columns) {
    return reads.get(family, row, columns);
  }

  @Override
  public List<Row> get(Family family, List<byte[]> rows, Columns columns) {
    return reads.get(family, rows, columns);
  }

  @Override
  public RowCursor scan(Family family, Scan scan) {
    return reads.scan(family, scan);
  }

  @Override
  public void close() {
    store.release(this);
  }

  @Override
  public synchronized void release() {
    if (!released) {
      released = true;
      reads.scope().close();
      reads.reader().close();
      database.rocks().releaseSnapshot(snapshot);
    }
  }
}
