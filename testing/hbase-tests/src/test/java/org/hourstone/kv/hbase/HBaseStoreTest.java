package org.hourstone.kv.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.hourstone.hbase.HBaseProcess;
import org.hourstone.hbase.NeedsHBase;
import org.hourstone.kv.BatchException;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.KeyValueStores;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.SchemaMode;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.hourstone.kv.StoreIdentity;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is HBase's own, beyond the contract. */
@NeedsHBase
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class HBaseStoreTest extends TableCase {

  @BeforeEach
  void createTable() {
    store.ensure(List.of(new FamilySpec(family, true)), SchemaMode.CREATE);
  }

  @Test
  void aWrongZooKeeperNodeIsRejectedInOneLine() {
    String wrong = HBaseProcess.sharedUri().replace("/hbase", "/nothing-here");

    StoreException failure =
        catchThrowableOfType(StoreException.class, () -> KeyValueStores.open(wrong));

    assertThat(failure.outcome()).isEqualTo(Outcome.REJECTED);
    assertThat(failure).hasMessageContaining(wrong).hasMessageContaining("/nothing-here");
    assertThat(failure).hasMessageNotContaining("\n");
  }

  @Test
  void aPrefixNamesTablesOfItsOwn() {
    String prefix = family.table().substring(0, 10);
    try (KeyValueStore ours = KeyValueStores.open(store() + "?prefix=" + prefix)) {
      Family shorter = new Family(family.table().substring(10), "t");
      store.put(family, ROW, Q, Q);

      assertThat(ours.families()).containsExactly(shorter);
      assertThat(ours.get(shorter, ROW, Columns.all()).find(Q)).isEqualTo(Q);
    }
  }

  @Test
  void itHasTheIdentityOfItsClusterAndTables() {
    try (KeyValueStore same = KeyValueStores.open(store());
        KeyValueStore other = KeyValueStores.open(store() + "?prefix=other")) {
      assertThat(identity(same)).matches("[-0-9a-f]{36}/").isEqualTo(identity(store));
      assertThat(identity(other)).isEqualTo(identity(store) + "other");
    }
  }

  private static String identity(KeyValueStore of) {
    return of.extension(StoreIdentity.class).orElseThrow().identity();
  }

  @Test
  void tablesAreMadeWithTheOptionsOfTheUri() throws Exception {
    Family made = new Family(family.table() + "made", "t");
    try (KeyValueStore ours = KeyValueStores.open(store() + "?create.split=salt:4")) {
      ours.ensure(List.of(new FamilySpec(made, true)), SchemaMode.CREATE);

      assertThat(connection.getAdmin().getRegions(TableName.valueOf(made.table())).join())
          .hasSize(4);
    }
  }

  @Test
  void aDisabledTableIsReportedWhenItIsVerified() throws Exception {
    connection.getAdmin().disableTable(TableName.valueOf(family.table())).join();

    assertThatThrownBy(() -> store.ensure(List.of(new FamilySpec(family, true)), SchemaMode.VERIFY))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("table " + family.table() + " is disabled");
  }

  @Test
  void aTableNameHBaseDoesNotTakeIsRejected() {
    Family bad = new Family("no such name", "t");

    assertThatThrownBy(() -> store.get(bad, ROW, Columns.all()))
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.outcome()).isEqualTo(Outcome.REJECTED))
        .hasMessageContaining("bad table name 'no such name'");
  }

  @Test
  void aBatchTellsWhichOfItsRowsFailed(@TempDir Path directory) throws Exception {
    Files.writeString(
        directory.resolve("hbase-site.xml"),
        "<configuration><property><name>hbase.client.keyvalue.maxsize</name>"
            + "<value>1000</value></property></configuration>");
    List<RowMutation> batch = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      batch.add(new RowMutation(number(i), new Change.Put(Q, new byte[i == 3 ? 2_000 : 1])));
    }
    try (KeyValueStore small = KeyValueStores.open(store() + "?conf=" + directory)) {
      BatchException failure =
          catchThrowableOfType(BatchException.class, () -> small.mutate(family, batch));

      assertThat(failure.outcomes()).containsExactly(null, null, null, Outcome.REJECTED, null);
      assertThat(failure).hasMessageContaining(family.toString()).hasMessageContaining("1 of 5");
    }
    assertThat(store.get(family, number(2), Columns.all()).find(Q)).isEqualTo(new byte[1]);
    assertThat(store.get(family, number(3), Columns.all()).isEmpty()).isTrue();
  }

  private static String store() {
    return HBaseProcess.sharedUri();
  }

  private static byte[] number(long number) {
    return ByteBuffer.allocate(8).putLong(number).array();
  }
}
