package org.hourstone.kv.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.hourstone.Tables;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.hbase.HBaseProcess;
import org.hourstone.hbase.NeedsHBase;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.KeyValueStores;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.hourstone.testkit.StoreFixture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Changes that are made, but whose answers get lost: on these tables the first change of a kind to
 * a row is answered only when the client has given up.
 */
@NeedsHBase
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class HBaseLostAnswerTest {
  private static final Tables TABLES = new Tables("tsdb", "tsdb-uid", "tsdb-meta", "tsdb-tree");
  private static final Family POINTS = TABLES.points();
  private static final byte[] ROW = bytes("row");
  private static final byte[] Q = bytes("q");

  @TempDir private Path directory;
  private KeyValueStore store;

  @BeforeEach
  void openStore() throws Exception {
    String prefix = StoreFixture.in(directory, 1).name() + "_";
    createTables(prefix);
    store = KeyValueStores.open(HBaseProcess.sharedUri() + "?rpc.timeout=2s&prefix=" + prefix);
  }

  @AfterEach
  void closeStore() {
    store.close();
  }

  @Test
  void anIncrementIsMadeOnce() {
    assertThat(store.increment(POINTS, ROW, Q, 5)).isEqualTo(5);
    assertThat(store.increment(POINTS, ROW, Q, 5)).isEqualTo(10);
  }

  @Test
  void anAppendIsMadeOnceAloneAndBesideOtherChanges() {
    store.append(POINTS, ROW, Q, bytes("ab"));
    store.mutate(
        POINTS,
        List.of(
            new RowMutation(
                bytes("other"),
                List.of(new Change.Put(bytes("p"), Q), new Change.Append(Q, bytes("cd"))))));

    assertThat(store.get(POINTS, ROW, Columns.all()).find(Q)).isEqualTo(bytes("ab"));
    assertThat(store.get(POINTS, bytes("other"), Columns.all()).find(Q)).isEqualTo(bytes("cd"));
  }

  /** Were it repeated, it would answer that the cell is not as expected. */
  @Test
  void aCompareAndSetIsUnknown() {
    assertUnknown(() -> store.compareAndSet(POINTS, ROW, Q, null, bytes("ours")));

    assertThat(store.get(POINTS, ROW, Columns.all()).find(Q)).isEqualTo(bytes("ours"));
  }

  @Test
  void cellsThatAreCreatedTogetherAreUnknown() {
    assertUnknown(() -> store.createCells(POINTS, List.of(ROW), Q, List.of(bytes("ours"))));

    assertThat(store.get(POINTS, ROW, Columns.all()).find(Q)).isEqualTo(bytes("ours"));
  }

  @Test
  void aReplacementOfCellsIsUnknownAndMadeOnce() {
    // The server's time is asked for in another row, and once: that changes a row, too.
    for (byte[] row : List.of(bytes("first"), ROW)) {
      Change dated = new Change.PutIfNewer(Q, bytes("v"), 1_000);
      store.mutate(POINTS, List.of(new RowMutation(row, dated)));
    }
    Row observed = store.get(POINTS, ROW, Columns.all());

    assertUnknown(
        () ->
            store.replaceCells(
                POINTS, observed, List.of(new Cell(bytes("merged"), bytes("v"), 1_000))));

    Row row = store.get(POINTS, ROW, Columns.all());
    assertThat(row.size()).isEqualTo(1);
    assertThat(row.find(bytes("merged"))).isEqualTo(bytes("v"));
  }

  @Test
  void namesGetOneUidAndPointsAreStoredOnce() {
    Set<String> uids = new LinkedHashSet<>();
    try (Tsdb db = Tsdb.over(store, TsdbOptions.defaults())) {
      for (int i = 0; i < 3; i++) {
        db.put("sys.cpu", Instant.ofEpochSecond(1_500_000_000 + i), i, Tags.of("host", "a")).join();
      }
    }
    for (String kind : List.of("metrics", "tagk", "tagv")) {
      byte[] counter = store.get(TABLES.uidIds(), new byte[] {0}, Columns.all()).find(bytes(kind));
      uids.add(kind + "=" + (counter == null ? 0 : counter[7]));
    }

    assertThat(uids).containsExactly("metrics=1", "tagk=1", "tagv=1");
  }

  private static void assertUnknown(ThrowingCallable call) {
    StoreException failure = catchThrowableOfType(StoreException.class, call);
    assertThat(failure.outcome()).isEqualTo(Outcome.UNKNOWN);
  }

  private static void createTables(String prefix) throws Exception {
    try (AsyncConnection connection = TableCase.connect(HBaseProcess.sharedUri())) {
      Map<String, TableDescriptorBuilder> tables = new TreeMap<>();
      for (FamilySpec spec : TABLES.families()) {
        tables
            .computeIfAbsent(
                spec.family().table(),
                table -> TableDescriptorBuilder.newBuilder(TableName.valueOf(prefix + table)))
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(spec.family().name()));
      }
      List<CompletableFuture<Void>> made = new ArrayList<>();
      for (TableDescriptorBuilder table : tables.values()) {
        table.setCoprocessor("org.hourstone.hbase.LateAnswers");
        made.add(connection.getAdmin().createTable(table.build()));
      }
      made.forEach(CompletableFuture::join);
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
