package org.hourstone.kv.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.hourstone.hbase.NeedsHBase;
import org.hourstone.kv.BatchException;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is reported of a put with a given time is what the servers then have. */
@NeedsHBase
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class HBaseDatedPutsTest extends TableCase {
  private static final byte[] R = bytes("r");

  private void createTable(UnaryOperator<ColumnFamilyDescriptorBuilder> options) {
    connection
        .getAdmin()
        .createTable(
            TableDescriptorBuilder.newBuilder(TableName.valueOf(family.table()))
                .setColumnFamily(
                    options.apply(ColumnFamilyDescriptorBuilder.newBuilder(familyName())).build())
                .build())
        .join();
  }

  private void createTable() {
    createTable(plain -> plain);
  }

  private byte[] familyName() {
    return Names.bytes(family);
  }

  private void mutate(Change... changes) {
    store.mutate(family, List.of(mutation(changes)));
  }

  private static RowMutation mutation(Change... changes) {
    return new RowMutation(ROW, List.of(changes));
  }

  private static Change dated(byte[] qualifier, long time) {
    return new Change.PutIfNewer(qualifier, qualifier, time);
  }

  private void assertRejected(Change... changes) {
    StoreException failure = catchThrowableOfType(StoreException.class, () -> mutate(changes));
    assertThat(failure).isNotNull();
    assertThat(failure.outcome()).isEqualTo(Outcome.REJECTED);
  }

  /** All that a server has of a cell, with what was overwritten, hidden or deleted. */
  private List<org.apache.hadoop.hbase.Cell> remains(byte[] qualifier) {
    return table().scanAll(new Scan().setRaw(true).readAllVersions()).join().stream()
        .flatMap(row -> row.listCells().stream())
        .filter(cell -> CellUtil.matchingQualifier(cell, qualifier))
        .toList();
  }

  private static boolean isPut(org.apache.hadoop.hbase.Cell cell) {
    return cell.getType() == org.apache.hadoop.hbase.Cell.Type.Put;
  }

  private List<Long> timesPut(byte[] qualifier) {
    return remains(qualifier).stream()
        .filter(HBaseDatedPutsTest::isPut)
        .map(org.apache.hadoop.hbase.Cell::getTimestamp)
        .toList();
  }

  /** Else it would be back when HBase has removed the marker that hides it. */
  @Test
  void oneThatADeletionHidesIsNotSent() {
    createTable();
    for (Change deletion : List.of(new Change.Delete(Q), new Change.DeleteRow())) {
      mutate(deletion);

      assertRejected(dated(Q, 1_000));

      assertThat(timesPut(Q)).isEmpty();
    }
  }

  @Test
  void whereOneIsHiddenNothingOfItsRowIsChanged() {
    createTable();
    store.put(family, ROW, bytes("gone"), Q);
    mutate(new Change.Delete(Q));

    assertRejected(
        dated(Q, 1_000),
        dated(R, 1_000),
        new Change.Put(bytes("undated"), Q),
        new Change.Delete(bytes("gone")));

    assertThat(row().size()).isEqualTo(1);
    assertThat(row().find(bytes("gone"))).isEqualTo(Q);
  }

  /** More rows than are read at a time. */
  @Test
  void ofEachRowOfABatchItsOutcomeIsReported() {
    createTable();
    List<RowMutation> deletions = new ArrayList<>();
    List<RowMutation> puts = new ArrayList<>();
    for (int i = 0; i < 2_500; i++) {
      byte[] key = ByteBuffer.allocate(4).putInt(i).array();
      puts.add(new RowMutation(key, dated(Q, 1_000)));
      if (i % 5 == 0) {
        deletions.add(new RowMutation(key, new Change.Delete(Q)));
      }
    }
    store.mutate(family, deletions);

    BatchException failure =
        catchThrowableOfType(BatchException.class, () -> store.mutate(family, puts));

    for (int i = 0; i < puts.size(); i++) {
      assertThat(failure.outcomes().get(i)).isEqualTo(i % 5 == 0 ? Outcome.REJECTED : null);
      assertThat(store.get(family, puts.get(i).row(), Columns.all()).isEmpty())
          .isEqualTo(i % 5 == 0);
    }
  }

  /**
   * The changes of a store on their way, and what another client does before they are read back.
   */
  private void mutate(Runnable beforeTheyArrive, Runnable afterwards, Change... changes) {
    HBaseErrors errors = new HBaseErrors("hbase://");
    Names names = new Names("", errors);
    InFlightCalls calls = new InFlightCalls("store", Duration.ofMinutes(1));
    Reads reads = new Reads(connection, names, calls, errors);
    ServerClock clock =
        new ServerClock(
            (in, changed) -> table().mutateRow(changed).join(),
            (in, row) -> ServerName.valueOf("the-only", 1, 1),
            errors);
    KeptCells kept = new KeptCells(connection.getAdmin()::getDescriptor, names, calls);
    new MaskedCells(reads, clock, new DatedPuts(reads, clock, kept, errors))
        .mutate(
            family,
            List.of(mutation(changes)),
            batch -> {
              beforeTheyArrive.run();
              Put put = new Put(ROW);
              for (Change change : batch.get(0).changes()) {
                Change.PutIfNewer dated = (Change.PutIfNewer) change;
                put.addColumn(familyName(), dated.qualifier(), dated.writeTime(), dated.value());
              }
              table().put(put).join();
              afterwards.run();
            });
  }

  private static void nothing() {}

  private void move() {
    assertThat(store.replaceCells(family, row(), List.of(new Cell(bytes("merged"), Q, 1_000))))
        .isTrue();
  }

  /** As a compaction does. */
  @Test
  void oneThatAnotherClientMovesBeforeItIsReadBackWasStored() {
    createTable();

    mutate(HBaseDatedPutsTest::nothing, this::move, dated(Q, 1_000), dated(R, 1_001));

    assertThat(row().size()).isEqualTo(1);
    assertThat(row().find(bytes("merged"))).isEqualTo(Q);
  }

  /**
   * It is the same cell again, as when an answer was lost; with another value it would be hidden.
   */
  @Test
  void ofOneThatReplacesAMovedOneTheValueDecides() {
    createTable();
    mutate(dated(Q, 1_000));

    mutate(HBaseDatedPutsTest::nothing, this::move, dated(Q, 1_000));

    assertThat(row().find(bytes("merged"))).isEqualTo(Q);
    mutate(dated(R, 1_000));
    StoreException failure =
        catchThrowableOfType(
            StoreException.class,
            () ->
                mutate(
                    this::moveAgain,
                    HBaseDatedPutsTest::nothing,
                    new Change.PutIfNewer(R, bytes("other"), 1_000)));
    assertThat(failure.outcome()).isEqualTo(Outcome.UNKNOWN);
  }

  private void moveAgain() {
    assertThat(store.replaceCells(family, row(), List.of(new Cell(bytes("again"), Q, 1_000))))
        .isTrue();
  }

  @Test
  void aPutThatAnotherClientDeletesAtTheSameTimeIsUnknown() {
    createTable();
    Runnable deletion = () -> table().delete(new Delete(ROW).addColumns(familyName(), Q)).join();
    store.put(family, ROW, R, R);

    StoreException failure =
        catchThrowableOfType(
            StoreException.class,
            () -> mutate(deletion, HBaseDatedPutsTest::nothing, dated(Q, 1_000)));

    assertThat(failure.outcome()).isEqualTo(Outcome.UNKNOWN);
  }

  @Test
  void oneOlderThanTheFamilyKeepsCellsIsNotSent() {
    createTable(family -> family.setTimeToLive(3_600));
    long now = System.currentTimeMillis();

    assertRejected(dated(Q, now - 3_700_000), dated(R, now));
    mutate(dated(R, now - 1_800_000));

    assertThat(timesPut(Q)).isEmpty();
    assertThat(timesPut(R)).containsExactly(now - 1_800_000);
  }

  @Test
  void oneThatIsKeptForItsNumberOfVersionsIsStored() {
    createTable(family -> family.setTimeToLive(3_600).setMinVersions(1));

    mutate(dated(Q, 1_000));

    assertThat(row().find(Q)).isEqualTo(Q);
  }

  /** Markers hide there what was put before them, whatever its time. */
  @Test
  void whereLaterPutsAreNotHiddenOneIsStored() {
    createTable(family -> family.setNewVersionBehavior(true));
    mutate(new Change.Delete(Q));

    mutate(dated(Q, 1_000));

    assertThat(row().find(Q)).isEqualTo(Q);
  }

  @Test
  void onesHiddenAmongOldVersionsAndKeptDeletionsAreNotSent() {
    createTable(family -> family.setMaxVersions(3).setKeepDeletedCells(KeepDeletedCells.TRUE));
    mutate(dated(Q, 1_000));
    mutate(dated(Q, 2_000));
    mutate(new Change.Delete(Q));

    assertRejected(dated(Q, 3_000));

    assertThat(timesPut(Q)).containsExactly(2_000L, 1_000L);
    store.put(family, ROW, Q, R);
    mutate(dated(R, 1_000));
    assertThat(row().find(Q)).isEqualTo(R);
  }

  /** Its marker would hide all writes until then. */
  @Test
  void whereACellAheadIsNotDeletedNothingOfItsRowIs() {
    createTable();
    long ahead = System.currentTimeMillis() + 3_600_000;
    table().put(new Put(ROW).addColumn(familyName(), Q, ahead, Q)).join();
    store.put(family, ROW, R, R);

    assertRejected(new Change.Delete(Q), new Change.Delete(R));
    assertRejected(new Change.Delete(Q), new Change.Put(R, Q));
    assertRejected(new Change.DeleteRow());

    assertThat(row().find(R)).isEqualTo(R);
    assertThat(row().find(Q)).isEqualTo(Q);
  }

  /** Of the many attempts to set it none must be found once the marker is gone. */
  @Test
  void whatWasNotSetForADeletionOfTheFutureIsGone() {
    createTable();
    long ahead = System.currentTimeMillis() + 3_600_000;
    table().delete(new Delete(ROW).addColumns(familyName(), Q, ahead)).join();

    StoreException failure =
        catchThrowableOfType(
            StoreException.class, () -> store.compareAndSet(family, ROW, Q, null, Q));

    assertThat(failure.outcome()).isEqualTo(Outcome.REJECTED);
    long last = Collections.max(timesPut(Q));
    assertThat(remains(Q))
        .anyMatch(
            cell -> !isPut(cell) && cell.getTimestamp() >= last && cell.getTimestamp() < ahead);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
