package org.hourstone.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.hourstone.testkit.Binary.bytes;
import static org.hourstone.testkit.Binary.number;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.hourstone.kv.BatchException;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.Trait;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The outcomes of writes that fail, for stores that {@link StoreUnderTest#failCommit} can fail. */
public abstract class FailureContract extends StoreContract {
  /** More steps than a store needs for the few cells written here. */
  private static final int MOST_COMMITS = 100;

  private static final int COMMITS_OF_A_LONG_BATCH = 8;

  @Test
  final void theOutcomeOfAFailedWriteIsTrue() {
    byte[] row = bytes("row");
    List<ThrowingCallable> writes =
        List.of(
            () -> put(row, bytes("q"), bytes("new")),
            () -> store().append(family(), row, bytes("q"), bytes("new")),
            () -> store().increment(family(), row, bytes("n"), 1),
            () -> store().compareAndSet(family(), row, bytes("q"), bytes("v"), bytes("new")),
            () -> store().replaceCells(family(), get(row), List.of(new Cell(row, row))),
            () -> store().mutate(family(), List.of(new RowMutation(row, new Change.DeleteRow()))));
    for (ThrowingCallable write : writes) {
      failEachCommit(List.of(row), write);
    }
  }

  /** Each row of the batch is as its outcome says, at whichever row or step the store fails. */
  @Test
  final void theOutcomesOfAFailedBatchAreTrue() {
    List<byte[]> rows = Stream.of("a", "b", "c", "d", "e", "f").map(Binary::bytes).toList();
    List<RowMutation> batch =
        List.of(
            new RowMutation(rows.get(0), new Change.Put(bytes("q"), bytes("new"))),
            new RowMutation(rows.get(1), new Change.DeleteRow()),
            new RowMutation(rows.get(2), new Change.Append(bytes("q"), bytes("w"))),
            new RowMutation(rows.get(3), new Change.Delete(bytes("q"))),
            // Dated later than the deletions before: the store lowers it to its clock.
            new RowMutation(
                rows.get(4),
                new Change.PutIfNewer(bytes("p"), bytes("new"), Change.MAX_WRITE_TIME)),
            new RowMutation(
                rows.get(5),
                List.of(
                    new Change.Put(bytes("p"), bytes("new")),
                    new Change.Delete(bytes("n")),
                    new Change.Append(bytes("q"), bytes("w")))));
    failEachCommit(rows, () -> store().mutate(family(), batch));
  }

  /** More rows than a page has, so that the store fails after it has committed whole pages. */
  @Test
  final void theOutcomesOfALongFailedBatchAreTrue() {
    List<byte[]> rows = new ArrayList<>();
    List<RowMutation> batch = new ArrayList<>();
    for (int i = 0; i < LARGE; i++) {
      rows.add(number(i));
      batch.add(new RowMutation(number(i), new Change.Put(bytes("q"), bytes("new"))));
    }
    ThrowingCallable write = () -> store().mutate(family(), batch);
    List<Row> changed = changedBy(write, rows);
    for (int k = 1; k <= COMMITS_OF_A_LONG_BATCH; k++) {
      if (!failsAtCommit(k, write, rows, changed)) {
        return;
      }
    }
  }

  @Test
  final void aFailedReadIsNotApplied() {
    put(bytes("row"), bytes("q"), bytes("v"));
    List<ThrowingCallable> reads =
        List.of(
            () -> get(bytes("row")),
            () -> store().get(family(), List.of(bytes("row")), Columns.all()),
            () -> rows(Scan.all()));
    for (ThrowingCallable read : reads) {
      assumeTrue(subject().failNextRead(store()), "the reads of the store can't be made to fail");
      assertThat(catchThrowable(read))
          .as("a read that failed")
          .isInstanceOfSatisfying(
              StoreException.class,
              failure ->
                  assertThat(failure.outcome()).isEqualTo(StoreException.Outcome.NOT_APPLIED));
      assertThat(catchThrowable(read)).as("the same read again").isNull();
    }
  }

  /**
   * Repeats a write on the same rows, the store failing at its first attempt to make something
   * lasting, then at its second, and so on until the write does not get there. What each row has
   * afterwards must fit the outcome that was reported for it.
   */
  private void failEachCommit(List<byte[]> keys, ThrowingCallable write) {
    List<Row> changed = changedBy(write, keys);
    for (int k = 1; k <= MOST_COMMITS; k++) {
      if (!failsAtCommit(k, write, keys, changed)) {
        return;
      }
    }
    throw new AssertionError(
        "a write of " + keys.size() + " rows failed " + MOST_COMMITS + " times");
  }

  /** The rows after the write, from which nothing was kept away. */
  private List<Row> changedBy(ThrowingCallable write, List<byte[]> keys) {
    prepare(keys);
    assertThat(catchThrowable(write)).as("the write, before the store was made to fail").isNull();
    return store().get(family(), keys, Columns.all());
  }

  /** Whether the write reached its k-th commit, which failed; its outcomes were true. */
  private boolean failsAtCommit(
      int k, ThrowingCallable write, List<byte[]> keys, List<Row> changed) {
    List<Row> before = prepare(keys);
    if (!subject().failCommit(store(), k)) {
      assumeTrue(k > 1, "the store can't be made to fail");
      return false;
    }
    Throwable failure = catchThrowable(write);
    if (failure == null) {
      assertThat(k)
          .as("the attempt that was made to fail, in a write that succeeded")
          .isGreaterThan(1);
      useUp(k);
      return false;
    }
    assertThat(failure).as("the failed write").isInstanceOf(StoreException.class);
    if (has(Trait.DURABLE)) {
      reopen();
    }
    assertTrueOutcomes(k, (StoreException) failure, before, changed);
    return true;
  }

  private List<Row> prepare(List<byte[]> keys) {
    passTime();
    List<RowMutation> deletions = new ArrayList<>();
    List<RowMutation> puts = new ArrayList<>();
    for (byte[] row : keys) {
      deletions.add(new RowMutation(row, new Change.DeleteRow()));
      puts.add(
          new RowMutation(
              row,
              List.of(
                  new Change.Put(bytes("q"), bytes("v")), new Change.Put(bytes("n"), number(1)))));
    }
    store().mutate(family(), deletions);
    store().mutate(family(), puts);
    passTime();
    return store().get(family(), keys, Columns.all());
  }

  /** The failure that the last write did not reach must not meet a later test or the closing. */
  private void useUp(int k) {
    Throwable failure = null;
    for (int i = 0; i < k && failure == null; i++) {
      failure = catchThrowable(() -> put(bytes("other"), bytes("q"), bytes("v")));
    }
    assertThat(failure)
        .as("attempt %d, which the store was to fail, in that many writes after another one", k)
        .isInstanceOf(StoreException.class);
  }

  private void assertTrueOutcomes(
      int k, StoreException failure, List<Row> before, List<Row> changed) {
    List<StoreException.@Nullable Outcome> outcomes =
        failure instanceof BatchException parts
            ? parts.outcomes()
            : Collections.nCopies(before.size(), failure.outcome());
    assertThat(outcomes)
        .as("outcomes of a batch of %d rows: %s", before.size(), failure)
        .hasSameSizeAs(before);
    List<Row> after = store().get(family(), before.stream().map(Row::key).toList(), Columns.all());
    for (int i = 0; i < before.size(); i++) {
      StoreException.Outcome outcome = outcomes.get(i);
      Row row = after.get(i);
      String what =
          "the row at place %d of %d after a write that failed at attempt %d and was reported as %s there"
              .formatted(i, before.size(), k, outcome == null ? "applied" : outcome);
      if (outcome == null) {
        assertThat(cells(row)).as(what).isEqualTo(cells(changed.get(i)));
      } else if (outcome == StoreException.Outcome.UNKNOWN) {
        assertThat(cells(row)).as(what).isIn(cells(before.get(i)), cells(changed.get(i)));
      } else {
        assertThat(row.toString()).as(what).isEqualTo(before.get(i).toString());
      }
    }
  }
}
