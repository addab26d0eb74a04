package org.hourstone.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.fail;
import static org.hourstone.testkit.Binary.bytes;
import static org.hourstone.testkit.Binary.number;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Change;
import org.hourstone.kv.Checkpoints;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.KeyValueStores;
import org.hourstone.kv.Reclamation;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.kv.SchemaMode;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.Trait;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Creation of families, closing, use after close, and interrupts. */
public abstract class LifecycleContract extends StoreContract {
  private static final byte[] ROW = bytes("row");
  private static final byte[] Q = bytes("q");

  @Test
  final void verifyNamesEveryMissingFamilyAndCreatesNone() {
    Family first = new Family(family().table(), "absent");
    Family second = missing();
    List<FamilySpec> specs =
        List.of(
            new FamilySpec(first, false),
            new FamilySpec(family(), true),
            new FamilySpec(second, true));

    assertRejected(
        "verification of what is missing",
        () -> store().ensure(specs, SchemaMode.VERIFY),
        first.name(),
        second.table(),
        second.name());

    assertThat(store().families()).contains(family()).doesNotContain(first, second);
  }

  /** A parameter that is misspelt would else be ignored silently. */
  @Test
  final void anUnknownParameterOfTheUriIsRefused() {
    String uri = subject().uri(fixture());
    assumeTrue(uri != null, "the store has no URI");
    close();
    String separator = String.valueOf(uri).contains("?") ? "&" : "?";
    String misspelt = uri + separator + "hourstone.unknown=1";

    assertThat(catchThrowable(() -> KeyValueStores.open(misspelt).close()))
        .as("opening %s", misspelt)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("hourstone.unknown");
  }

  @Test
  final void verifyIsContentWithWhatIsThere() {
    store().ensure(List.of(new FamilySpec(family(), true)), SchemaMode.VERIFY);
    store().ensure(List.of(), SchemaMode.VERIFY);
    store().ensure(List.of(), SchemaMode.CREATE);

    assertThat(store().families()).contains(family());
  }

  @Test
  final void creatingWhatIsThereKeepsItsData() {
    put(ROW, Q, bytes("v"));
    Family other = new Family(family().table() + "2", "t");
    create(family(), other);
    create(family(), other);

    assertThat(get(ROW).find(Q)).isEqualTo(bytes("v"));
    assertThat(rows(store(), other, Scan.all())).isEmpty();
  }

  @Test
  final void familiesAreListedInOrder() {
    Family second = new Family(family().table(), "u");
    Family third = new Family(family().table() + "2", "a");
    create(third, second);

    assertThat(store().families())
        .isSorted()
        .doesNotHaveDuplicates()
        .containsSubsequence(family(), second, third)
        .doesNotContain(missing());
  }

  @Test
  final void closingTwiceIsClosingOnce() {
    put(ROW, Q, bytes("v"));
    close();
    assertThatCode(() -> store().close()).as("closing again").doesNotThrowAnyException();
  }

  @Test
  final void aClosedStoreIsNotUsed() {
    put(ROW, Q, bytes("v"));
    Row observed = get(ROW);
    close();

    Change change = new Change.Put(Q, bytes("w"));
    assertClosed("get", () -> get(ROW));
    assertClosed("multi-get", () -> store().get(family(), List.of(ROW), Columns.all()));
    assertClosed("scan", () -> rows(Scan.all()));
    assertClosed("mutate", () -> store().mutate(family(), List.of(new RowMutation(ROW, change))));
    assertClosed("increment", () -> store().increment(family(), ROW, bytes("n"), 1));
    assertClosed(
        "compareAndSet", () -> store().compareAndSet(family(), ROW, Q, bytes("v"), bytes("w")));
    assertClosed(
        "replaceCells",
        () -> store().replaceCells(family(), observed, List.of(new Cell(Q, bytes("w")))));
    assertClosed("ensure", () -> create(family()));
    assertClosed("families", () -> store().families());
  }

  @Test
  final void extensionsOfAClosedStoreAreNotUsed() {
    List<ThrowingCallable> uses = new ArrayList<>();
    store()
        .extension(Checkpoints.class)
        .ifPresent(
            checkpoints ->
                uses.add(() -> checkpoints.create(fixture().directory().resolve("copy"))));
    store()
        .extension(Reclamation.class)
        .ifPresent(reclamation -> uses.add(() -> reclamation.reclaim(family(), new byte[0], null)));
    close();

    uses.forEach(use -> assertClosed("extension", use));
  }

  @Test
  final void cursorsEndWithAnErrorWhenTheStoreIsClosed() {
    for (int i = 0; i < 50; i++) {
      put(number(i), Q, bytes("v"));
    }
    RowCursor untouched = store().scan(family(), Scan.all());
    RowCursor begun = store().scan(family(), Scan.all().rowsPerFetch(2));
    assertThat(begun.next()).isNotNull();
    RowCursor ended = store().scan(family(), Scan.all().limit(1));
    assertThat(ended.next()).isNotNull();
    assertThat(ended.next()).isNull();

    close();

    for (RowCursor cursor : List.of(untouched, begun, ended)) {
      assertClosed("cursor", cursor::next);
      cursor.close();
      cursor.close();
    }
  }

  @Test
  final void aClosedCursorIsNotUsed() {
    put(ROW, Q, bytes("v"));
    RowCursor cursor = store().scan(family(), Scan.all());
    cursor.close();

    assertClosed("cursor", cursor::next);
  }

  @Test
  final void closingWaitsForThoseWhoReadAndWrite() throws Exception {
    for (int i = 0; i < 300; i++) {
      put(number(i), Q, bytes("v"));
    }
    Closing closing = new Closing(4);
    List<Callable<@Nullable Integer>> tasks = new ArrayList<>();
    tasks.add(() -> closing.call(i -> get(number(i % 300))));
    tasks.add(() -> closing.call(i -> rows(Scan.all().rowsPerFetch(5).limit(20))));
    tasks.add(() -> closing.call(i -> put(bytes("written" + i % 100), Q, number(i))));
    tasks.add(() -> closing.call(i -> store().increment(family(), ROW, Q, 1)));
    tasks.add(
        () -> {
          closing.close(store());
          return null;
        });
    List<@Nullable Integer> calls = ConcurrentRunner.run(tasks);

    assertClosed("get", () -> get(ROW));
    if (has(Trait.DURABLE)) {
      reopen();
      int puts = succeeded(calls.get(2));
      assertThat(get(bytes("written" + (puts - 1) % 100)).find(Q)).isEqualTo(number(puts - 1));
      assertThat(get(ROW).find(Q)).isEqualTo(number(succeeded(calls.get(3))));
    }
  }

  private static int succeeded(@Nullable Integer calls) {
    return calls == null ? 0 : calls;
  }

  /** Closes a store while others use it, each of whom must find it closed in the end. */
  private static final class Closing {
    private static final int CALLS_BEFORE = 20;
    private static final int CONCURRENT_CALLS = 200;
    private final CountDownLatch busy;
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile boolean begun;

    Closing(int callers) {
      busy = new CountDownLatch(callers);
    }

    void close(KeyValueStore store) throws InterruptedException {
      busy.await();
      begun = true;
      try {
        store.close();
      } finally {
        ended.countDown();
      }
    }

    /**
     * Calls until the store says that it is closed, or has let a call succeed after closing has
     * ended; how many calls succeeded.
     */
    int call(Consumer<Integer> call) throws InterruptedException {
      int succeeded = 0;
      int callsSince = 0;
      try {
        while (true) {
          call.accept(succeeded);
          succeeded++;
          if (succeeded == CALLS_BEFORE) {
            busy.countDown();
          }
          if (begun && ++callsSince == CONCURRENT_CALLS) {
            ended.await();
          } else if (callsSince > CONCURRENT_CALLS) {
            return succeeded;
          }
        }
      } catch (IllegalStateException storeIsClosed) {
        return succeeded;
      } finally {
        if (succeeded < CALLS_BEFORE) {
          busy.countDown();
        }
      }
    }
  }

  @Test
  final void anInterruptedReadKeepsTheFlagAndDoesNoHarm() {
    put(ROW, Q, bytes("v"));

    interrupted(
        StoreException.Outcome.NOT_APPLIED,
        () -> assertThat(get(ROW).find(Q)).isEqualTo(bytes("v")));
    interrupted(
        StoreException.Outcome.NOT_APPLIED,
        () -> assertThat(store().get(family(), List.of(ROW, Q), Columns.all())).hasSize(2));
    interrupted(StoreException.Outcome.NOT_APPLIED, () -> assertThat(rows(Scan.all())).hasSize(1));

    assertThat(get(ROW).find(Q)).isEqualTo(bytes("v"));
  }

  @Test
  final void anInterruptedWriteKeepsTheFlagAndDoesNoHarm() {
    KeyValueStore store = store();
    StoreException.Outcome unknown = StoreException.Outcome.UNKNOWN;
    interrupted(unknown, () -> put(ROW, bytes("put"), bytes("v")));
    interrupted(unknown, () -> store.append(family(), ROW, bytes("append"), bytes("v")));
    interrupted(unknown, () -> store.increment(family(), ROW, bytes("increment"), 1));
    interrupted(unknown, () -> store.compareAndSet(family(), ROW, bytes("cas"), null, bytes("v")));
    interrupted(
        unknown,
        () ->
            store.replaceCells(
                family(), Row.empty(ROW), List.of(new Cell(bytes("replace"), bytes("v")))));

    passTime();
    put(ROW, bytes("after"), bytes("v"));
    assertThat(get(ROW).find(bytes("after"))).isEqualTo(bytes("v"));
    assertThat(get(ROW).size()).isBetween(1, 6);
  }

  /** A store may do the work in spite of the interrupt, or stop; the flag is set afterwards. */
  private static void interrupted(StoreException.Outcome ifStopped, Runnable call) {
    Thread.currentThread().interrupt();
    boolean flag;
    try {
      call.run();
    } catch (StoreException stopped) {
      assertThat(stopped.outcome()).isEqualTo(ifStopped);
    } finally {
      flag = Thread.interrupted();
    }
    if (!flag) {
      fail("the interrupt was swallowed");
    }
  }

  private static void assertClosed(String what, ThrowingCallable use) {
    assertThat(catchThrowable(use))
        .as("%s after closing", what)
        .isInstanceOf(IllegalStateException.class);
  }
}
