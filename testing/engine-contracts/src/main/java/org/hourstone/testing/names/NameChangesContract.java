package org.hourstone.testing.names;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.hourstone.error.RequestException;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.testkit.store.FaultPlan;
import org.hourstone.testkit.store.FaultPlan.Fault;
import org.hourstone.testkit.store.FaultPlan.Operation;
import org.hourstone.testkit.store.FaultyStore;
import org.hourstone.uid.NoSuchNameException;
import org.hourstone.uid.UidTable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Names never split or mix: whatever a process has in memory, it writes to the UID that is stored,
 * and renames and deletions elsewhere are noticed.
 */
public abstract class NameChangesContract extends NamesCase {
  /** The cells of a process that died after it took number 1 for a name. */
  private void claimedButNotPublished(String name) {
    assertThat(store.increment(FORWARD, new byte[] {0}, QUALIFIER, 1)).isEqualTo(1);
    assertThat(store.compareAndSet(REVERSE, uid(1), QUALIFIER, null, latin(name))).isTrue();
  }

  @Test
  final void aNameIsNotWrittenToAUidThatItDoesNotLeadTo() {
    claimedButNotPublished("cpu");
    UidTable process = process(store);
    assertThat(process.name(KIND, uid(1))).isEqualTo("cpu");
    assertThat(process.uidForWriting(KIND, "cpu")).isEqualTo(uid(2));
    assertThat(stored("cpu")).isEqualTo(uid(2));
  }

  @Test
  final void aKnownNameKeepsItsUidWhenAnotherUidWithThatNameIsLookedUp() {
    claimedButNotPublished("cpu");
    UidTable process = process(store);
    assertThat(process.uidForWriting(KIND, "cpu")).isEqualTo(uid(2));
    assertThat(process.name(KIND, uid(1))).isEqualTo("cpu");
    assertThat(process.uidForWriting(KIND, "cpu")).isEqualTo(uid(2));
    assertThat(process.uidsForWriting(KIND, List.of("cpu")).get("cpu")).isEqualTo(uid(2));
  }

  /** Runs something once, after a call that is asked for. */
  private static final class Interrupted extends ForwardingStore {
    private @Nullable Operation operation;
    private int calls;
    private Runnable action = () -> {};

    Interrupted(KeyValueStore delegate) {
      super(delegate);
    }

    Interrupted after(Operation what, int call, Runnable does) {
      operation = what;
      calls = call;
      action = does;
      return this;
    }

    private void called(Operation what) {
      if (what == operation && --calls == 0) {
        operation = null;
        action.run();
      }
    }

    @Override
    public Row get(Family family, byte[] row, Columns columns) {
      Row found = super.get(family, row, columns);
      called(Operation.GET);
      return found;
    }

    @Override
    public List<Row> get(Family family, List<byte[]> rows, Columns columns) {
      List<Row> found = super.get(family, rows, columns);
      called(Operation.GET);
      return found;
    }

    @Override
    public boolean compareAndSet(
        Family family,
        byte[] row,
        byte[] qualifier,
        byte @Nullable [] expected,
        byte @Nullable [] update) {
      boolean set = super.compareAndSet(family, row, qualifier, expected, update);
      called(Operation.COMPARE_AND_SET);
      return set;
    }
  }

  @Test
  final void aLookUpThatADeletionOvertakesIsNotKept() {
    process(store).assign(KIND, "cpu");
    Interrupted slow = new Interrupted(store);
    UidTable process = process(slow);
    slow.after(Operation.GET, 1, () -> process.delete(KIND, "cpu"));
    process.find(KIND, "cpu");
    assertThat(process.uidForWriting(KIND, "cpu")).isEqualTo(uid(2)).isEqualTo(stored("cpu"));
  }

  @Test
  final void aLookUpThatARenameOvertakesIsNotKept() {
    process(store).assign(KIND, "old");
    Interrupted slow = new Interrupted(store);
    UidTable process = process(slow);
    slow.after(Operation.GET, 1, () -> process.rename(KIND, "old", "new"));
    process.find(KIND, "old");
    assertThat(process.uidForWriting(KIND, "old")).isEqualTo(uid(2)).isEqualTo(stored("old"));
    slow.after(Operation.GET, 1, () -> process.rename(KIND, "new", "newer"));
    process.name(KIND, uid(1));
    assertThat(process.name(KIND, uid(1))).isEqualTo("newer");
  }

  @Test
  final void anAssignmentThatADeletionOvertakesIsNotKept() {
    Interrupted slow = new Interrupted(store);
    UidTable process = process(slow);
    slow.after(Operation.COMPARE_AND_SET, 2, () -> process.delete(KIND, "cpu"));
    assertThat(process.uidForWriting(KIND, "cpu")).isEqualTo(uid(1));
    assertThat(process.uidForWriting(KIND, "cpu")).isEqualTo(uid(2)).isEqualTo(stored("cpu"));
  }

  @Test
  final void aWriterThatWaitsForAnAssignmentGetsNoUidThatWasDeletedBefore() throws Exception {
    Interrupted slow = new Interrupted(store);
    UidTable process = process(slow);
    CompletableFuture<byte[]> waiting = new CompletableFuture<>();
    Thread waiter =
        new Thread(
            () -> waiting.completeAsync(() -> process.uidForWriting(KIND, "cpu"), Runnable::run));
    slow.after(
        Operation.COMPARE_AND_SET,
        2,
        () -> {
          process.delete(KIND, "cpu");
          waiter.start();
          while (waiter.getState() != Thread.State.WAITING && !waiting.isDone()) {
            Thread.onSpinWait();
          }
        });
    process.uidForWriting(KIND, "cpu");
    assertThat(waiting.get(1, TimeUnit.MINUTES)).isEqualTo(uid(2)).isEqualTo(stored("cpu"));
  }

  @Test
  final void aNameThatIsDeletedWhileItsAssignmentIsInDoubtGetsAnotherUid() {
    FaultPlan plan = new FaultPlan(1).failCall(Operation.COMPARE_AND_SET, 2, Fault.UNKNOWN_APPLIED);
    AtomicInteger swaps = new AtomicInteger();
    KeyValueStore doubtful =
        new FaultyStore(
            store,
            plan,
            operation -> {
              if (operation == Operation.COMPARE_AND_SET) {
                swaps.incrementAndGet();
              } else if (operation == Operation.GET && swaps.get() == 3) {
                swaps.incrementAndGet();
                process(store).delete(KIND, "cpu");
              }
            });
    byte[] uid = process(doubtful).uidForWriting(KIND, "cpu");
    assertThat(stored("cpu")).isEqualTo(uid);
    assertThat(storedName(uid)).isEqualTo("cpu");
  }

  @Test
  final void aDeletionLeavesANameThatWasDeletedAndCreatedInBetween() {
    Interrupted slow = new Interrupted(store);
    UidTable process = process(slow);
    process.assign(KIND, "cpu");
    slow.after(
        Operation.GET,
        2,
        () -> {
          process.delete(KIND, "cpu");
          process.assign(KIND, "cpu");
        });
    process.delete(KIND, "cpu");
    assertThat(stored("cpu")).isEqualTo(uid(2)).isEqualTo(process.find(KIND, "cpu"));
    assertThat(process.name(KIND, uid(2))).isEqualTo("cpu").isEqualTo(storedName(uid(2)));
  }

  @Test
  final void aRenameThatLosesMisleadsNoReader() {
    UidTable other = process(store);
    UidTable reader = process(store);
    AtomicInteger swaps = new AtomicInteger();
    KeyValueStore interrupted =
        new FaultyStore(
            store,
            new FaultPlan(1),
            operation -> {
              if (operation == Operation.COMPARE_AND_SET && swaps.incrementAndGet() == 1) {
                assertThat(reader.name(KIND, uid(1))).isIn("old", "new");
                other.assign(KIND, "new");
              }
            });
    other.assign(KIND, "old");
    assertThatThrownBy(() -> process(interrupted).rename(KIND, "old", "new"))
        .isInstanceOf(RequestException.class);
    assertThat(reader.uidForWriting(KIND, "new")).isEqualTo(uid(2)).isEqualTo(stored("new"));
    assertThat(reader.uidForWriting(KIND, "old")).isEqualTo(uid(1)).isEqualTo(stored("old"));
    assertThat(storedName(uid(1))).isEqualTo("old");
  }

  @Test
  final void noCallerCanChangeWhatIsKept() {
    UidTable process = process(store);
    process.assign(KIND, "cpu")[2] = 9;
    process.uid(KIND, "cpu")[2] = 9;
    process.uidForWriting(KIND, "cpu")[2] = 9;
    process.uidsForWriting(KIND, List.of("cpu")).values().forEach(uid -> uid[2] = 9);
    byte[] asked = uid(1);
    process.name(KIND, asked);
    asked[2] = 9;
    assertThat(process.uid(KIND, "cpu")).isEqualTo(uid(1));
    assertThat(process.name(KIND, uid(1))).isEqualTo("cpu");
  }

  @Test
  final void aNameThatIsDeletedAndCreatedAgainAtOnceIsStored() {
    UidTable process = process(store);
    for (int i = 1; i <= 100; i++) {
      byte[] uid = process.uidForWriting(KIND, "cpu");
      assertThat(stored("cpu")).isEqualTo(uid);
      assertThat(storedName(uid)).isEqualTo("cpu");
      process.delete(KIND, "cpu");
    }
  }

  @Test
  final void aNameThatIsRenamedAndRenamedBackAtOnceKeepsItsUid() {
    UidTable process = process(store);
    byte[] uid = process.assign(KIND, "x");
    for (int i = 1; i <= 100; i++) {
      process.rename(KIND, "x", "y");
      process.rename(KIND, "y", "x");
      assertThat(stored("x")).isEqualTo(uid);
      assertThat(storedName(uid)).isEqualTo("x");
      assertThat(stored("y")).isNull();
    }
  }

  @Test
  final void aNameIsNotRenamedToItself() {
    UidTable process = process(store);
    process.assign(KIND, "x");
    assertThatThrownBy(() -> process.rename(KIND, "x", "x"))
        .isInstanceOf(RequestException.class)
        .hasMessageContaining("has a UID already");
    assertThat(names()).isEqualTo(Map.of("x", (byte) 1));
  }

  @Test
  final void ofTwoRenamesOfOneNameNeitherTakesTheOthersNameAway() {
    UidTable first = process(store);
    first.assign(KIND, "a1");
    Interrupted slow = new Interrupted(store);
    UidTable second = process(slow);
    // The first one passes the second one after that has published its name.
    slow.after(Operation.COMPARE_AND_SET, 1, () -> first.rename(KIND, "a1", "b1"));
    assertThatThrownBy(() -> second.rename(KIND, "a1", "c1"))
        .isInstanceOf(RequestException.class)
        .hasMessageContaining("has the name 'b1', from another rename");
    assertThat(names()).isEqualTo(Map.of("b1", (byte) 1, "c1", (byte) 1));
    assertThat(storedName(uid(1))).isEqualTo("b1");
    second.rename(KIND, "c1", "b1");
    assertThat(names()).isEqualTo(Map.of("b1", (byte) 1));
  }

  @Test
  final void renamesThatCrossLeaveTheUidAName() {
    for (int k = 1; k < 12; k++) {
      for (Operation operation : List.of(Operation.GET, Operation.COMPARE_AND_SET)) {
        startOver();
        UidTable first = process(store);
        first.assign(KIND, "a1");
        Interrupted slow = new Interrupted(store);
        slow.after(
            operation,
            k,
            () -> {
              try {
                first.rename(KIND, "b1", "a1");
              } catch (NoSuchNameException e) {
                assertThat(stored("b1")).isNull();
              }
            });
        try {
          process(slow).rename(KIND, "a1", "b1");
        } catch (RequestException e) {
          assertThat(e).hasMessageContaining("from another rename");
        }
        assertThat(names()).describedAs("%s %d", operation, k).containsValue((byte) 1);
        String name = storedName(uid(1));
        assertThat(names()).describedAs("%s %d", operation, k).containsEntry(name, (byte) 1);
      }
    }
  }
}
