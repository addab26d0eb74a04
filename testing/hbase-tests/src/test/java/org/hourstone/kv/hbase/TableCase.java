package org.hourstone.kv.hbase;

import java.nio.file.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.hourstone.hbase.HBaseProcess;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.KeyValueStores;
import org.hourstone.kv.Row;
import org.hourstone.kv.StoreUri;
import org.hourstone.testkit.StoreFixture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A store on the shared HBase, a table of the test's own, and another client that sees it. */
abstract class TableCase {
  static final byte[] ROW = {'r', 'o', 'w'};
  static final byte[] Q = {'q'};

  Family family = new Family("unset", "t");
  KeyValueStore store;
  AsyncConnection connection;

  @BeforeEach
  final void openStore(@TempDir Path directory) {
    family = StoreFixture.in(directory, 1).family();
    store = KeyValueStores.open(HBaseProcess.sharedUri());
    connection = connect(HBaseProcess.sharedUri());
  }

  @AfterEach
  final void closeStore() throws Exception {
    connection.close();
    store.close();
  }

  /** Another client. */
  static AsyncConnection connect(String uri) {
    return ConnectionFactory.createAsyncConnection(
            ClusterOptions.of(StoreUri.parse(uri)).configuration())
        .join();
  }

  /** Another client's view of the table. */
  final AsyncTable<?> table() {
    return connection.getTable(TableName.valueOf(family.table()));
  }

  final Row row() {
    return store.get(family, ROW, Columns.all());
  }
}
