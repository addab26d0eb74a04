package org.hourstone.kv.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.hourstone.kv.BatchException;
import org.hourstone.kv.Change;
import org.hourstone.kv.Family;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.junit.jupiter.api.Test;

/** What is reported of changes that were applied, when what belongs to them fails afterwards. */
class MaskedCellsTest {
  private static final Family FAMILY = new Family("tsdb", "t");
  private static final byte[] Q = {'q'};
  private static final int BEHIND = 9;
  private static final long TIME = 1_500_000_000_000L;
  private static final List<RowMutation> DELETIONS =
      List.of(deletion(1), deletion(2), deletion(3), deletion(4));

  private final HBaseErrors errors = new HBaseErrors("hbase://nowhere");
  private final List<List<RowMutation>> sent = new ArrayList<>();

  private static RowMutation deletion(int row) {
    return new RowMutation(new byte[] {(byte) row}, new Change.Delete(Q));
  }

  private static Result cell(byte[] row) {
    return Result.create(List.of(new KeyValue(row, new byte[] {'t'}, Q, TIME, Q)));
  }

  private static Result rowIsTouched(Family family, RowMutations changes) {
    byte[] row = changes.getRow();
    long time = row[0] == BEHIND ? TIME - 50_000 : TIME;
    return Result.create(List.of(new KeyValue(row, new byte[] {'t'}, Q, time, Q)));
  }

  private static ServerName server(Family family, byte[] row) {
    return ServerName.valueOf(row[0] == BEHIND ? "behind" : "other", 1, 1);
  }

  /**
   * Before anything is sent there are neither markers nor cells dated ahead.
   *
   * @param read answers to gets, afterwards
   */
  @SuppressWarnings("unchecked") // the one list that is passed is of gets
  private MaskedCells over(Function<Get, CompletableFuture<Result>> read) {
    AsyncTable<?> table =
        proxy(
            AsyncTable.class,
            each ->
                ((List<Get>) each)
                    .stream()
                        .map(
                            get ->
                                isAfterwards(get)
                                    ? read.apply(get)
                                    : CompletableFuture.completedFuture(Result.EMPTY_RESULT))
                        .toList());
    Names names = new Names("", errors);
    InFlightCalls calls = new InFlightCalls("store", Duration.ofMinutes(1));
    Reads reads = new Reads(proxy(AsyncConnection.class, any -> table), names, calls, errors);
    ServerClock clock =
        new ServerClock(MaskedCellsTest::rowIsTouched, MaskedCellsTest::server, errors);
    KeptCells kept =
        new KeptCells(
            name ->
                CompletableFuture.completedFuture(
                    TableDescriptorBuilder.newBuilder(name)
                        .setColumnFamily(ColumnFamilyDescriptorBuilder.of("t"))
                        .build()),
            names,
            calls);
    return new MaskedCells(reads, clock, new DatedPuts(reads, clock, kept, errors));
  }

  private static boolean isAfterwards(Get get) {
    return get.getMaxVersions() == 1 && get.getTimeRange().isAllTime();
  }

  private static <T> T proxy(Class<T> type, Function<Object, Object> calls) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> calls.apply(arguments[0])));
  }

  private static StoreException failure(Outcome outcome) {
    return new StoreException(outcome, "no");
  }

  @Test
  void ofEachElementWhatBecameOfDeletingItAgainIsReported() {
    MaskedCells cells =
        over(
            get ->
                CompletableFuture.completedFuture(
                    get.getRow()[0] < 3 ? Result.EMPTY_RESULT : cell(get.getRow())));
    Consumer<List<RowMutation>> sender =
        batch -> {
          sent.add(batch);
          if (sent.size() == 2) {
            List<Outcome> outcomes = new ArrayList<>();
            outcomes.add(null);
            outcomes.add(Outcome.NOT_APPLIED);
            throw new BatchException("no", outcomes, null);
          }
        };

    BatchException thrown =
        catchThrowableOfType(BatchException.class, () -> cells.mutate(FAMILY, DELETIONS, sender));

    assertThat(sent.get(1)).hasSize(2);
    assertThat(thrown.outcomes()).containsExactly(null, null, Outcome.UNKNOWN, Outcome.UNKNOWN);
  }

  @Test
  void whereDeletingAgainIsRejectedTheFirstDeletionWasApplied() {
    MaskedCells cells = over(get -> CompletableFuture.completedFuture(cell(get.getRow())));
    Consumer<List<RowMutation>> sender =
        batch -> {
          sent.add(batch);
          if (sent.size() == 2) {
            throw failure(Outcome.REJECTED);
          }
        };

    StoreException thrown =
        catchThrowableOfType(StoreException.class, () -> cells.mutate(FAMILY, DELETIONS, sender));

    assertThat(thrown.outcome()).isEqualTo(Outcome.UNKNOWN);
  }

  /** As for a client that may not read any more. */
  @Test
  void whereReadingBackIsRejectedTheChangeWasApplied() {
    MaskedCells cells =
        over(get -> CompletableFuture.failedFuture(new AccessDeniedException("no reading")));
    List<RowMutation> put = List.of(new RowMutation(Q, new Change.PutIfNewer(Q, Q, 1_000)));

    StoreException thrown =
        catchThrowableOfType(StoreException.class, () -> cells.mutate(FAMILY, put, sent::add));

    assertThat(sent).hasSize(1);
    assertThat(thrown.outcome()).isEqualTo(Outcome.UNKNOWN);
  }

  @Test
  void whatWasNotAppliedStaysSoWhenReadingBackFails() {
    MaskedCells cells =
        over(get -> CompletableFuture.failedFuture(new AccessDeniedException("no reading")));
    List<Outcome> outcomes = new ArrayList<>(List.of(Outcome.REJECTED, Outcome.NOT_APPLIED));
    outcomes.add(null);
    outcomes.add(Outcome.UNKNOWN);

    BatchException thrown =
        catchThrowableOfType(
            BatchException.class,
            () ->
                cells.mutate(
                    FAMILY,
                    DELETIONS,
                    batch -> {
                      throw new BatchException("no", outcomes, null);
                    }));

    assertThat(thrown.outcomes())
        .containsExactly(Outcome.REJECTED, Outcome.NOT_APPLIED, Outcome.UNKNOWN, Outcome.UNKNOWN);
  }

  /** Dated by another server's clock it would hide what is written next. */
  @Test
  void aTimeAheadOfTheClockOfTheRowsOwnServerIsLowered() {
    MaskedCells cells = over(get -> CompletableFuture.completedFuture(cell(get.getRow())));
    Change put = new Change.PutIfNewer(Q, Q, TIME - 10_000);

    cells.mutate(
        FAMILY,
        List.of(
            new RowMutation(new byte[] {1}, put),
            new RowMutation(new byte[] {BEHIND}, put),
            new RowMutation(new byte[] {BEHIND, 1}, put)),
        sent::add);

    List<Long> times =
        sent.get(0).stream()
            .map(each -> ((Change.PutIfNewer) each.changes().get(0)).writeTime())
            .toList();
    assertThat(times.get(0)).isEqualTo(TIME - 10_000);
    assertThat(times.get(1)).isBetween(TIME - 50_000, TIME - 11_000);
    assertThat(times.get(2)).isBetween(TIME - 50_000, TIME - 11_000);
  }
}
