package org.hourstone.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.hourstone.kv.BatchException;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.kv.SchemaMode;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.hourstone.testkit.store.FaultPlan.Fault;
import org.hourstone.testkit.store.FaultPlan.Operation;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FaultyStoreTest {
  private static final Family DATA = new Family("data", "t");
  private static final byte[] Q = {'q'};

  private final KeyValueStore sound = new ModelStore(InstantSource.fixed(Instant.EPOCH));
  private final FaultPlan plan = new FaultPlan(1);
  private final FaultyStore store = new FaultyStore(sound, plan);

  @BeforeEach
  void createFamily() {
    sound.ensure(List.of(new FamilySpec(DATA, true)), SchemaMode.CREATE);
  }

  @Test
  void whatWasNotAppliedIsNotThere() {
    for (Fault fault : List.of(Fault.NOT_APPLIED, Fault.UNKNOWN_NOT_APPLIED)) {
      for (Runnable write : writes()) {
        plan.failCall(1, fault);
        assertThat(outcome(write)).isEqualTo(fault.outcome());
        assertThat(rows()).isEmpty();
      }
    }
  }

  @Test
  void whatWasAppliedWithoutTellingIsThere() {
    int there = 0;
    for (Runnable write : writes()) {
      plan.failCall(1, Fault.UNKNOWN_APPLIED);
      assertThat(outcome(write)).isEqualTo(Outcome.UNKNOWN);
      assertThat(rows()).hasSize(++there);
    }
  }

  private List<Runnable> writes() {
    return List.of(
        () -> store.put(DATA, key(1), Q, key(1)),
        () -> store.append(DATA, key(2), Q, key(1)),
        () -> store.increment(DATA, key(3), Q, 1),
        () -> store.compareAndSet(DATA, key(4), Q, null, key(1)),
        () -> store.replaceCells(DATA, Row.empty(key(5)), List.of(new Cell(Q, key(1)))));
  }

  @Test
  void readsFailAsNotAppliedAndMayBeRepeated() {
    sound.put(DATA, key(1), Q, key(1));
    sound.put(DATA, key(2), Q, key(2));
    for (Fault fault : Fault.values()) {
      plan.failCall(Operation.GET, 1, fault).failCall(Operation.SCAN, 1, fault);
      assertThat(outcome(() -> store.get(DATA, key(1), Columns.all())))
          .isEqualTo(Outcome.NOT_APPLIED);
      assertThat(outcome(() -> store.scan(DATA, Scan.all()))).isEqualTo(Outcome.NOT_APPLIED);
      try (RowCursor cursor = store.scan(DATA, Scan.all())) {
        assertThat(cursor.next()).isNotNull();
        plan.failCall(Operation.NEXT, 1, fault);
        assertThat(outcome(cursor::next)).isEqualTo(Outcome.NOT_APPLIED);
        assertThat(cursor.next()).isNotNull().extracting(Row::key).isEqualTo(key(2));
        assertThat(cursor.next()).isNull();
      }
    }
  }

  @Test
  void aBatchThatFailsInPartIsAppliedAsItsOutcomesTell() {
    Set<Fault> seen = EnumSet.noneOf(Fault.class);
    List<Fault> faults = List.of(Fault.values());
    for (int seed = 0; seed < 200; seed++) {
      Fault fault = faults.get(seed % faults.size());
      FaultPlan random = new FaultPlan(seed).partialBatches(1).failCall(1, fault);
      seen.add(fault);
      List<RowMutation> batch = new ArrayList<>();
      for (int i = 0; i < 2 + seed % 5; i++) {
        batch.add(new RowMutation(key(seed * 10 + i), new Change.Put(Q, key(i))));
      }
      FaultyStore faulty = new FaultyStore(sound, random);

      BatchException failure =
          catchThrowableOfType(BatchException.class, () -> faulty.mutate(DATA, batch));

      assertThat(failure.outcomes()).as("seed %d", seed).hasSize(batch.size()).containsNull();
      assertThat(failure.outcomes()).contains(fault.outcome());
      for (int i = 0; i < batch.size(); i++) {
        boolean there = !sound.get(DATA, batch.get(i).row(), Columns.all()).isEmpty();
        Outcome told = failure.outcomes().get(i);
        if (told != Outcome.UNKNOWN) {
          assertThat(there).as("seed %d, element %d", seed, i).isEqualTo(told == null);
        }
      }
    }
    assertThat(seen).hasSize(3);
  }

  @Test
  void aBatchThatFailsWholeHasOneFate() {
    plan.partialBatches(0).failCall(1, Fault.NOT_APPLIED);
    List<RowMutation> batch =
        List.of(
            new RowMutation(key(1), new Change.Put(Q, key(1))),
            new RowMutation(key(2), new Change.Put(Q, key(2))));

    Throwable failure = catchThrowable(() -> store.mutate(DATA, batch));

    assertThat(failure).isExactlyInstanceOf(StoreException.class);
    assertThat(rows()).isEmpty();
  }

  @Test
  void exactlyTheCallThatIsNamedFails() {
    plan.failCall(3, Fault.NOT_APPLIED).failCall(Operation.INCREMENT, 2, Fault.NOT_APPLIED);
    store.put(DATA, key(1), Q, key(1));
    store.increment(DATA, key(2), Q, 1);
    assertThat(outcome(() -> store.get(DATA, key(1), Columns.all())))
        .isEqualTo(Outcome.NOT_APPLIED);
    store.get(DATA, key(1), Columns.all());
    assertThat(outcome(() -> store.increment(DATA, key(2), Q, 1))).isEqualTo(Outcome.NOT_APPLIED);
    assertThat(store.increment(DATA, key(2), Q, 1)).isEqualTo(2);
    assertThat(plan.injected()).isEqualTo(2);
    assertThat(plan.calls()).isEqualTo(6);
  }

  @Test
  void oneSeedFailsTheSameCallsEveryTime() {
    List<String> first = history(7);

    assertThat(history(7)).isEqualTo(first);
    assertThat(history(8)).isNotEqualTo(first);
    assertThat(first).contains("NOT_APPLIED", "UNKNOWN", "fine");
  }

  private static List<String> history(long seed) {
    KeyValueStore sound = new ModelStore(InstantSource.fixed(Instant.EPOCH));
    sound.ensure(List.of(new FamilySpec(DATA, true)), SchemaMode.CREATE);
    FaultyStore faulty = new FaultyStore(sound, new FaultPlan(seed).failAll(0.1));
    List<String> history = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      try {
        faulty.put(DATA, key(i), Q, key(i));
        history.add("fine");
      } catch (StoreException failure) {
        history.add(failure.outcome().toString());
      }
    }
    return history;
  }

  @Test
  void aCalmPlanFailsNothing() {
    plan.failAll(0.3).failCall(1, Fault.NOT_APPLIED).calm();
    for (int i = 0; i < 50; i++) {
      store.put(DATA, key(i), Q, key(i));
    }
    assertThat(rows()).hasSize(50);
    assertThat(plan.injected()).isZero();
  }

  @Test
  void theHookIsCalledBeforeEveryCall() {
    List<Operation> seen = new ArrayList<>();
    FaultyStore hooked = new FaultyStore(sound, plan, seen::add);
    hooked.put(DATA, key(1), Q, key(1));
    hooked.get(DATA, key(1), Columns.all());
    try (RowCursor cursor = hooked.scan(DATA, Scan.all())) {
      assertThat(cursor.next()).isNotNull();
    }

    assertThat(seen)
        .containsExactly(Operation.MUTATE, Operation.GET, Operation.SCAN, Operation.NEXT);
  }

  @Test
  void probabilitiesAreChecked() {
    plan.fail(Operation.GET, Fault.NOT_APPLIED, 0.7);

    assertThatThrownBy(() -> plan.fail(Operation.GET, Fault.UNKNOWN_APPLIED, 0.4))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("GET");
    assertThatThrownBy(() -> plan.fail(Operation.SCAN, Fault.NOT_APPLIED, -0.1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private List<Row> rows() {
    List<Row> rows = new ArrayList<>();
    try (RowCursor cursor = sound.scan(DATA, Scan.all())) {
      for (Row row = cursor.next(); row != null; row = cursor.next()) {
        rows.add(row);
      }
    }
    return rows;
  }

  private static Outcome outcome(Runnable call) {
    return catchThrowableOfType(StoreException.class, call::run).outcome();
  }

  private static byte[] key(int number) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(number).array();
  }
}
