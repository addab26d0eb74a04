package org.hourstone.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.hourstone.Tables;
import org.hourstone.codec.Schema;
import org.hourstone.error.RequestException;
import org.hourstone.internal.Backoff;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.kv.SchemaMode;
import org.hourstone.kv.StoreException;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.StoreFixture;
import org.hourstone.testkit.store.FaultPlan;
import org.hourstone.testkit.store.FaultPlan.Fault;
import org.hourstone.testkit.store.FaultPlan.Operation;
import org.hourstone.testkit.store.FaultyStore;
import org.hourstone.tool.UidFinding;
import org.hourstone.tool.UidFsck;
import org.hourstone.tool.UidFsckListener;
import org.hourstone.tool.UidFsckOptions;
import org.hourstone.uid.NoSuchNameException;
import org.hourstone.uid.UidKind;
import org.hourstone.uid.UidOptions;
import org.hourstone.uid.UidTable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Names never split or mix: whatever a process has in memory, it writes to the UID that is stored;
 * and a rename or deletion that is interrupted anywhere can be completed and loses no name.
 */
public abstract class NameChangesContract {
  private static final Tables TABLES = new Tables("tsdb", "tsdb-uid", "tsdb-meta", "tsdb-tree");
  private static final Family FORWARD = TABLES.uidIds();
  private static final Family REVERSE = TABLES.uidNames();
  private static final Schema SCHEMA = new Schema(3, 3, 3, 0, 20, 8);
  private static final UidKind KIND = UidKind.METRIC;
  private static final byte[] QUALIFIER = latin(KIND.qualifier());

  @TempDir private Path directory;
  private KeyValueStore store;

  /** Opens the store under test, empty. */
  protected abstract KeyValueStore open(StoreFixture fixture);

  @BeforeEach
  final void openStore() {
    store = open(StoreFixture.in(directory, 1));
    store.ensure(TABLES.families(), SchemaMode.CREATE);
  }

  @AfterEach
  final void closeStore() {
    store.close();
  }

  private void startOver() {
    for (Family family : List.of(FORWARD, REVERSE)) {
      List<RowMutation> deletions = new ArrayList<>();
      try (RowCursor rows = store.scan(family, Scan.all())) {
        for (Row row = rows.next(); row != null; row = rows.next()) {
          deletions.add(new RowMutation(row.key(), new Change.DeleteRow()));
        }
      }
      store.mutate(family, deletions);
    }
  }

  /** A process. */
  private static UidTable process(KeyValueStore over) {
    return process(over, Duration.ZERO, Clock.systemUTC());
  }

  private static UidTable process(KeyValueStore over, Duration noticesAfter, InstantSource clock) {
    return new UidTable(
        over,
        FORWARD,
        REVERSE,
        SCHEMA,
        new UidOptions(EnumSet.allOf(UidKind.class), Set.of(), 10_000, noticesAfter),
        Backoff.none(),
        clock,
        new Random(1));
  }

  private static byte[] latin(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static byte[] uid(int number) {
    return new byte[] {0, 0, (byte) number};
  }

  private byte @Nullable [] stored(String name) {
    return store.get(FORWARD, latin(name), Columns.exactly(QUALIFIER)).find(QUALIFIER);
  }

  private @Nullable String storedName(byte[] uid) {
    byte[] name = store.get(REVERSE, uid, Columns.exactly(QUALIFIER)).find(QUALIFIER);
    return name == null ? null : new String(name, StandardCharsets.ISO_8859_1);
  }

  /** Names and their UIDs, as they are stored. */
  private Map<String, Byte> names() {
    Map<String, Byte> names = new TreeMap<>();
    try (RowCursor rows = store.scan(FORWARD, Scan.all().columns(Columns.exactly(QUALIFIER)))) {
      for (Row row = rows.next(); row != null; row = rows.next()) {
        if (row.key()[0] != 0) {
          names.put(new String(row.key(), StandardCharsets.ISO_8859_1), row.value(0)[2]);
        }
      }
    }
    return names;
  }

  private List<String> repaired() {
    List<String> findings = new ArrayList<>();
    UidFsckListener listener =
        new UidFsckListener() {
          @Override
          public void found(UidFinding finding) {
            findings.add(finding.toString());
          }

          @Override
          public void read(long rows) {}
        };
    UidFsckOptions fix = new UidFsckOptions(true, false, false);
    new UidFsck(store, FORWARD, REVERSE, List.of(), SCHEMA, fix, listener).run();
    return findings;
  }

  /** What a process that died after claiming number 1 for a name leaves. */
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
  final void aRenameThatLosesMisleadsNobody() {
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
  final void noCallerCanDamageWhatIsKept() {
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

  /** Fails a call in its own way and those after it, as when a process dies with that call. */
  private static void dieAt(FaultPlan plan, long k, Fault fault) {
    plan.failCall(k, fault);
    for (long later = k + 1; later < k + 100; later++) {
      plan.failCall(later, Fault.NOT_APPLIED);
    }
  }

  private interface NameChange {
    void by(UidTable process);
  }

  /** Interrupts a change at each of its calls in each way; returns how many there were. */
  private int interruptedAnywhere(NameChange change, Runnable then) {
    for (int k = 1; ; k++) {
      boolean interrupted = false;
      for (Fault fault : Fault.values()) {
        startOver();
        process(store).assign(KIND, "other");
        process(store).assign(KIND, "old");
        FaultPlan plan = new FaultPlan(1);
        dieAt(plan, k, fault);
        try {
          change.by(process(new FaultyStore(store, plan)));
        } catch (StoreException e) {
          interrupted = true;
        }
        assertThat(names()).describedAs("call %d %s", k, fault).containsEntry("other", (byte) 1);
        then.run();
      }
      if (!interrupted) {
        return k;
      }
    }
  }

  @Test
  final void aRenameThatIsInterruptedAnywhereIsCompletedByCallingItAgain() {
    int calls =
        interruptedAnywhere(
            process -> process.rename(KIND, "old", "new"),
            () -> {
              assertThat(names())
                  .containsAnyOf(Map.entry("old", (byte) 2), Map.entry("new", (byte) 2));
              UidTable writer = process(store);
              if (names().containsKey("old")) {
                assertThat(writer.uidForWriting(KIND, "old")).isEqualTo(uid(2));
                writer.rename(KIND, "old", "new");
              }
              assertThat(names()).isEqualTo(Map.of("other", (byte) 1, "new", (byte) 2));
              assertThat(storedName(uid(2))).isEqualTo("new");
              assertThat(writer.find(KIND, "old")).isNull();
              assertThat(writer.uidForWriting(KIND, "new")).isEqualTo(uid(2));
              assertThat(repaired()).isEmpty();
            });
    assertThat(calls).isGreaterThan(3);
  }

  @Test
  final void aRenameThatIsInterruptedAnywhereIsRepairedWithoutLossOfANameInUse() {
    interruptedAnywhere(
        process -> process.rename(KIND, "old", "new"),
        () -> {
          Map<String, Byte> before = names();
          List<String> findings = repaired();
          String name = storedName(uid(2));
          assertThat(name).isIn("old", "new");
          assertThat(before).containsEntry(name, (byte) 2);
          assertThat(names()).isEqualTo(Map.of("other", (byte) 1, name, (byte) 2));
          if (before.size() == 3) {
            assertThat(findings)
                .containsExactly(
                    "metrics new, old: 000002 is the UID of each, and leads to "
                        + name
                        + "; fixed: its name is "
                        + name
                        + ", the others have no UID");
          }
          assertThat(repaired()).isEmpty();
        });
  }

  @Test
  final void aDeletionThatIsInterruptedAnywhereIsCompletedByCallingItAgain() {
    int calls =
        interruptedAnywhere(
            process -> process.delete(KIND, "old"),
            () -> {
              if (names().containsKey("old")) {
                assertThat(process(store).uidForWriting(KIND, "old")).isEqualTo(uid(2));
                process(store).delete(KIND, "old");
              }
              assertThat(names()).isEqualTo(Map.of("other", (byte) 1));
              assertThat(storedName(uid(2))).isNull();
              assertThat(repaired()).isEmpty();
              assertThat(process(store).uidForWriting(KIND, "old")).isEqualTo(uid(3));
            });
    assertThat(calls).isGreaterThan(2);
  }

  @Test
  final void aDeletionThatIsInterruptedAnywhereIsUndoneOrCompletedByARepair() {
    interruptedAnywhere(
        process -> process.delete(KIND, "old"),
        () -> {
          Map<String, Byte> before = names();
          repaired();
          assertThat(names()).isEqualTo(before);
          assertThat(storedName(uid(2))).isEqualTo(before.containsKey("old") ? "old" : null);
          assertThat(repaired()).isEmpty();
        });
  }

  @Test
  final void aProcessWhoseRenameFailedGoesByWhatIsStored() {
    for (int k = 1; k < 12; k++) {
      startOver();
      FaultPlan plan = new FaultPlan(1);
      UidTable process = process(new FaultyStore(store, plan));
      process.assign(KIND, "old");
      dieAt(plan, k, Fault.UNKNOWN_APPLIED);
      try {
        process.rename(KIND, "old", "new");
      } catch (StoreException e) {
        assertThat(e).hasMessageContaining("injected");
      }
      plan.calm();
      for (String name : List.of("old", "new")) {
        assertThat(process.find(KIND, name))
            .describedAs("%s, call %d", name, k)
            .isEqualTo(stored(name));
      }
    }
  }

  @Test
  final void changesGoOnBeyondFailuresOfTheStore() {
    for (int k = 1; k < 12; k++) {
      for (Fault fault : Fault.values()) {
        startOver();
        FaultPlan plan = new FaultPlan(1);
        UidTable process = process(new FaultyStore(store, plan));
        process.assign(KIND, "a");
        plan.failCall(k, fault);
        process.rename(KIND, "a", "b");
        plan.failCall(k, fault);
        process.delete(KIND, "b");
        assertThat(names()).isEmpty();
        assertThat(storedName(uid(1))).isNull();
      }
    }
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

  @Test
  final void aWriterKeepsAKnownUidWhileTheStoreCanNotBeRead() {
    ManualClock clock = new ManualClock(Instant.ofEpochSecond(1_500_000_000));
    FaultPlan plan = new FaultPlan(1);
    UidTable process = process(new FaultyStore(store, plan), Duration.ofSeconds(60), clock);
    process.assign(KIND, "cpu");
    process.assign(KIND, "mem");
    clock.advance(Duration.ofSeconds(31));
    plan.fail(Operation.GET, Fault.NOT_APPLIED, 1);
    long before = plan.calls();
    for (int i = 0; i < 5; i++) {
      assertThat(process.uidForWriting(KIND, "cpu")).isEqualTo(uid(1));
      assertThat(process.uidsForWriting(KIND, List.of("mem", "cpu")).get("mem")).isEqualTo(uid(2));
    }
    assertThat(plan.calls() - before)
        .describedAs("one attempt to read, not one a name")
        .isEqualTo(1);
    assertThatThrownBy(() -> process.uidForWriting(KIND, "new")).isInstanceOf(StoreException.class);
    assertThatThrownBy(() -> process.find(KIND, "cpu")).isInstanceOf(StoreException.class);

    process(store).rename(KIND, "cpu", "cpu.before");
    plan.calm();
    clock.advance(Duration.ofSeconds(31));
    assertThat(process.uidForWriting(KIND, "cpu")).isEqualTo(uid(3));
    plan.fail(Operation.GET, Fault.NOT_APPLIED, 1);
    clock.advance(Duration.ofSeconds(31));
    assertThat(process.uidForWriting(KIND, "cpu")).isEqualTo(uid(3));
  }

  @Test
  final void aDeletedNameIsNotKeptWhileTheStoreCanNotBeRead() {
    ManualClock clock = new ManualClock(Instant.ofEpochSecond(1_500_000_000));
    FaultPlan plan = new FaultPlan(1);
    UidTable process = process(new FaultyStore(store, plan), Duration.ofSeconds(60), clock);
    process.assign(KIND, "here");
    process.assign(KIND, "elsewhere");
    process(store).delete(KIND, "elsewhere");
    process.delete(KIND, "here");
    clock.advance(Duration.ofSeconds(31));
    assertThat(process.find(KIND, "elsewhere")).isNull();
    plan.fail(Operation.GET, Fault.NOT_APPLIED, 1);
    for (String name : List.of("here", "elsewhere")) {
      assertThatThrownBy(() -> process.uidForWriting(KIND, name))
          .isInstanceOf(StoreException.class);
    }
  }
}
