package org.hourstone.kv.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.AsyncTableBuilder;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.hourstone.hbase.HBaseProcess;
import org.hourstone.hbase.NeedsHBase;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.KeyValueStores;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.StoreUri;
import org.hourstone.testkit.StoreFixture;
import org.hourstone.testkit.store.PacedStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What another client does between two of a store's calls to HBase, on a family that keeps old
 * versions: the other one acts right before a call of a given name.
 */
@NeedsHBase
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class HBaseInterleavingTest {
  private static final byte[] ROW = bytes("row");
  private static final byte[] Q = bytes("q");
  private static final byte[] R = bytes("r");

  /** Run once, before the call of this name; of many rows at once, of this name and an s. */
  private final Map<String, Runnable> before = new ConcurrentHashMap<>();

  @TempDir private Path directory;
  private Family family = new Family("unset", "t");
  private AsyncConnection connection;
  private KeyValueStore store;
  private KeyValueStore other;

  @BeforeEach
  void openStores() {
    family = StoreFixture.in(directory, 1).family();
    StoreUri uri = StoreUri.parse(HBaseProcess.sharedUri());
    connection =
        ConnectionFactory.createAsyncConnection(ClusterOptions.of(uri).configuration()).join();
    connection
        .getAdmin()
        .createTable(
            TableDescriptorBuilder.newBuilder(TableName.valueOf(family.table()))
                .setColumnFamily(
                    ColumnFamilyDescriptorBuilder.newBuilder(Names.bytes(family))
                        .setMaxVersions(3)
                        .build())
                .build())
        .join();
    Duration timeout = Duration.ofSeconds(60);
    store =
        new HBaseStore(
            interrupted(AsyncConnection.class, connection),
            new Names("", new HBaseErrors("hbase://test")),
            StoreSettings.of(uri),
            new Opening(timeout),
            timeout,
            timeout,
            new SizeLimits(0, Integer.MAX_VALUE));
    other = KeyValueStores.open(HBaseProcess.sharedUri());
  }

  @AfterEach
  void closeStores() {
    store.close();
    other.close();
    assertThat(before).isEmpty();
  }

  private <T> T interrupted(Class<T> type, T target) {
    InvocationHandler calls =
        (proxy, method, arguments) -> {
          boolean ofMany = arguments != null && arguments[0] instanceof List;
          Runnable action = before.remove(method.getName() + (ofMany ? "s" : ""));
          if (action != null) {
            action.run();
          }
          Object result = call(target, method, arguments);
          if (result instanceof AsyncTableBuilder<?> builder) {
            return interrupted(AsyncTableBuilder.class, builder);
          }
          return result instanceof AsyncTable<?> table
              ? interrupted(AsyncTable.class, table)
              : result;
        };
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, calls));
  }

  private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private void mutate(KeyValueStore by, Change... changes) {
    by.mutate(family, List.of(new RowMutation(ROW, List.of(changes))));
  }

  private Row row() {
    return other.get(family, ROW, Columns.all());
  }

  /** As in repairing an append cell, which keeps its time. */
  @Test
  void anAppendToAnObservedCellStays() {
    mutate(other, new Change.PutIfNewer(Q, bytes("ba"), 1_000));
    Row observed = row();
    mutate(other, new Change.Append(Q, bytes("c")));

    boolean unused = store.replaceCells(family, observed, List.of(new Cell(Q, bytes("ab"), 1_000)));

    assertThat(row().find(Q)).isEqualTo(bytes("bac"));
  }

  @Test
  void aCellThatAppearsWhileNothingIsReplacedStays() {
    for (String call : List.of("mutateRow", "get", "gets", "checkAndMutate")) {
      byte[] key = bytes(call);
      before.put(call, () -> putAndPass(key));

      boolean unused =
          store.replaceCells(
              family, Row.empty(key), List.of(new Cell(Q, bytes("ours")), new Cell(R, Q)));

      assertThat(other.get(family, key, Columns.all()).find(R)).as(call).isEqualTo(bytes("theirs"));
    }
  }

  /** A deletion of all cells of one time, as HBase's own client can make it. */
  @Test
  void aReplacementIsVisibleAlsoWhereTheVersionsOfARowAreDeleted() {
    Delete versions = new Delete(ROW).addFamilyVersion(Names.bytes(family), 1_000);
    connection.getTable(TableName.valueOf(family.table())).delete(versions).join();
    mutate(other, new Change.PutIfNewer(R, R, 2_000));

    assertThat(store.replaceCells(family, row(), List.of(new Cell(Q, Q, 1_000)))).isTrue();

    assertThat(row().find(Q)).isEqualTo(Q);
    assertThat(row().writeTime(0)).isEqualTo(1_001);
  }

  private void putAndPass(byte[] key) {
    other.put(family, key, R, bytes("theirs"));
    PacedStore.pass();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
