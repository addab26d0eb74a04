package org.hourstone.testing.names;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.hourstone.kv.StoreException;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.store.FaultPlan;
import org.hourstone.testkit.store.FaultPlan.Fault;
import org.hourstone.testkit.store.FaultPlan.Operation;
import org.hourstone.testkit.store.FaultyStore;
import org.hourstone.uid.UidTable;
import org.junit.jupiter.api.Test;

/**
 * A rename or deletion of a name that is interrupted anywhere can be completed and loses no name;
 * and while the store fails, a process continues with the names it has cached.
 */
public abstract class InterruptedNameChangesContract extends NamesCase {
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
