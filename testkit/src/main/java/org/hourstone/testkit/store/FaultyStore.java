package org.hourstone.testkit.store;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.hourstone.kv.BatchException;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Checks;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.ForwardingStore;
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
import org.jspecify.annotations.Nullable;

/**
 * A store whose calls fail by its {@link FaultPlan}, in every way the SPI allows. A call that fails
 * has been applied, or not, or in part, exactly as its exception says; the plan knows the effect of
 * calls that are UNKNOWN to the caller.
 *
 * <p>As thread-safe as the store behind it; the plan's choices are reproducible when calls are made
 * in the same order.
 */
public final class FaultyStore extends ForwardingStore {
  private final FaultPlan plan;
  private final Consumer<Operation> before;

  public FaultyStore(KeyValueStore delegate, FaultPlan plan) {
    this(delegate, plan, operation -> {});
  }

  /**
   * @param before called at the start of each call, to delay it or for an action in between
   */
  public FaultyStore(KeyValueStore delegate, FaultPlan plan, Consumer<Operation> before) {
    super(delegate);
    this.plan = plan;
    this.before = before;
  }

  @Override
  public void ensure(Collection<FamilySpec> families, SchemaMode mode) {
    write(Operation.ENSURE, () -> super.ensure(families, mode));
  }

  @Override
  public Row get(Family family, byte[] row, Columns columns) {
    read(Operation.GET);
    return super.get(family, row, columns);
  }

  @Override
  public List<Row> get(Family family, List<byte[]> rows, Columns columns) {
    read(Operation.GET);
    return super.get(family, rows, columns);
  }

  @Override
  public RowCursor scan(Family family, Scan scan) {
    return faultyScan(family, scan);
  }

  private RowCursor faultyScan(Family family, Scan scan) {
    read(Operation.SCAN);
    RowCursor cursor = super.scan(family, scan);
    return new RowCursor() {
      @Override
      public @Nullable Row next() {
        read(Operation.NEXT);
        return cursor.next();
      }

      @Override
      public void close() {
        cursor.close();
      }
    };
  }

  @Override
  public void mutate(Family family, List<RowMutation> batch) {
    Checks.batch(batch);
    before.accept(Operation.MUTATE);
    Fault fault = plan.next(Operation.MUTATE);
    if (fault != null && batch.size() > 1 && plan.isPartial()) {
      mutatePart(family, batch, plan.fates(fault, batch.size()));
    } else {
      attempt(Operation.MUTATE, fault, answering(() -> super.mutate(family, batch)));
    }
  }

  private void mutatePart(Family family, List<RowMutation> batch, List<@Nullable Fault> fates) {
    List<RowMutation> applied = new ArrayList<>();
    List<@Nullable Outcome> outcomes = new ArrayList<>();
    for (int i = 0; i < batch.size(); i++) {
      Fault fate = fates.get(i);
      if (fate == null || fate == Fault.UNKNOWN_APPLIED) {
        applied.add(batch.get(i));
      }
      outcomes.add(fate == null ? null : fate.outcome());
    }
    super.mutate(family, applied);
    throw new BatchException("injected: part of a batch failed: " + fates, outcomes, null);
  }

  @Override
  public long increment(Family family, byte[] row, byte[] qualifier, long delta) {
    return call(Operation.INCREMENT, () -> super.increment(family, row, qualifier, delta));
  }

  @Override
  public boolean compareAndSet(
      Family family,
      byte[] row,
      byte[] qualifier,
      byte @Nullable [] expected,
      byte @Nullable [] update) {
    return call(
        Operation.COMPARE_AND_SET,
        () -> super.compareAndSet(family, row, qualifier, expected, update));
  }

  @Override
  public boolean replaceCells(Family family, Row observed, List<Cell> replacement) {
    return call(Operation.REPLACE_CELLS, () -> super.replaceCells(family, observed, replacement));
  }

  /** Fails a read, of which nothing is ever applied. */
  private void read(Operation operation) {
    before.accept(operation);
    if (plan.next(operation) != null) {
      throw new StoreException(Outcome.NOT_APPLIED, "injected: " + operation + " failed");
    }
  }

  private void write(Operation operation, Runnable write) {
    call(operation, answering(write));
  }

  private <T extends @Nullable Object> T call(Operation operation, Supplier<T> write) {
    before.accept(operation);
    return attempt(operation, plan.next(operation), write);
  }

  private static <T extends @Nullable Object> T attempt(
      Operation operation, @Nullable Fault fault, Supplier<T> write) {
    if (fault == null) {
      return write.get();
    }
    String hidden = fault == Fault.UNKNOWN_APPLIED ? ", the answer was " + write.get() : "";
    throw new StoreException(
        fault.outcome(), "injected: " + operation + " failed: " + fault + hidden);
  }

  private static Supplier<String> answering(Runnable write) {
    return () -> {
      write.run();
      return "done";
    };
  }
}
