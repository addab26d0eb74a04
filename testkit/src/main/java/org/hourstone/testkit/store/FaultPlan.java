package org.hourstone.testkit.store;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.hourstone.kv.StoreException.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * The calls of a {@link FaultyStore} that fail, and how: at random, from a seed, with a probability
 * per kind of operation and fault; or exactly the <i>k</i>-th call. By default no call fails.
 *
 * <p>Reads fail as NOT_APPLIED whatever fault is planned for them. Thread-safe.
 */
public final class FaultPlan {
  /** The kinds of calls. */
  public enum Operation {
    GET,
    SCAN,
    /** One row of a cursor; a repeated call returns the row. */
    NEXT,
    MUTATE,
    INCREMENT,
    COMPARE_AND_SET,
    REPLACE_CELLS,
    ENSURE
  }

  /** The ways to fail. */
  public enum Fault {
    /** Nothing is done, and the exception says so. */
    NOT_APPLIED(Outcome.NOT_APPLIED),
    /** It is done, but the caller cannot know. */
    UNKNOWN_APPLIED(Outcome.UNKNOWN),
    /** Nothing is done, but the caller cannot know. */
    UNKNOWN_NOT_APPLIED(Outcome.UNKNOWN);

    private final Outcome outcome;

    Fault(Outcome outcome) {
      this.outcome = outcome;
    }

    /** The outcome the caller gets. */
    public Outcome outcome() {
      return outcome;
    }
  }

  private record Single(@Nullable Operation operation, long call, Fault fault) {}

  private final Random random;
  private final Map<Operation, Map<Fault, Double>> probabilities = new EnumMap<>(Operation.class);
  private final Map<Operation, Long> calls = new EnumMap<>(Operation.class);
  private final List<Single> singles = new ArrayList<>();
  private double partial = 0.5;
  private long allCalls;
  private long injected;

  /**
   * @param seed print it when a test fails
   */
  public FaultPlan(long seed) {
    random = new Random(seed);
  }

  /** Fails calls of this kind in this way with this probability, 0 to 1. */
  public synchronized FaultPlan fail(Operation operation, Fault fault, double probability) {
    Map<Fault, Double> faults =
        probabilities.computeIfAbsent(operation, absent -> new EnumMap<>(Fault.class));
    faults.put(fault, probability);
    double sum = faults.values().stream().mapToDouble(Double::doubleValue).sum();
    if (!(probability >= 0 && sum <= 1)) {
      faults.remove(fault);
      throw new IllegalArgumentException(
          "the probabilities of " + operation + " would be " + probability + ", in all " + sum);
    }
    return this;
  }

  /** Fails calls of each kind in each of its ways with this probability. */
  public synchronized FaultPlan failAll(double probability) {
    for (Operation operation : Operation.values()) {
      for (Fault fault : Fault.values()) {
        fail(operation, fault, probability);
      }
    }
    return this;
  }

  /** Fails the {@code k}-th call from now, of whatever kind; 1 is the next. */
  public synchronized FaultPlan failCall(long k, Fault fault) {
    singles.add(new Single(null, allCalls + k, fault));
    return this;
  }

  /** Fails the {@code k}-th call of one kind from now; 1 is the next. */
  public synchronized FaultPlan failCall(Operation operation, long k, Fault fault) {
    singles.add(new Single(operation, calls.getOrDefault(operation, 0L) + k, fault));
    return this;
  }

  /**
   * The fraction of failing batches of several rows that fail only in part, 0 to 1; one half by
   * default.
   */
  public synchronized FaultPlan partialBatches(double probability) {
    partial = probability;
    return this;
  }

  /** Removes every fault from the plan. */
  public synchronized void calm() {
    probabilities.clear();
    singles.clear();
  }

  /** How many calls have failed. */
  public synchronized long injected() {
    return injected;
  }

  /** The number of calls so far; with it each of them can be made to fail in turn. */
  public synchronized long calls() {
    return allCalls;
  }

  /** The outcome of the next call. */
  synchronized @Nullable Fault next(Operation operation) {
    allCalls++;
    long ofItsKind = calls.merge(operation, 1L, Long::sum);
    Fault fault = single(operation, ofItsKind);
    if (fault == null) {
      fault = atRandom(probabilities.getOrDefault(operation, Map.of()));
    }
    if (fault != null) {
      injected++;
    }
    return fault;
  }

  private @Nullable Fault single(Operation operation, long ofItsKind) {
    for (Single each : singles) {
      boolean now =
          each.operation() == null
              ? each.call() == allCalls
              : each.operation() == operation && each.call() == ofItsKind;
      if (now) {
        return each.fault();
      }
    }
    return null;
  }

  private @Nullable Fault atRandom(Map<Fault, Double> faults) {
    if (faults.isEmpty()) {
      return null;
    }
    double drawn = random.nextDouble();
    for (Map.Entry<Fault, Double> each : faults.entrySet()) {
      drawn -= each.getValue();
      if (drawn < 0) {
        return each.getKey();
      }
    }
    return null;
  }

  synchronized boolean isPartial() {
    return random.nextDouble() < partial;
  }

  /**
   * The outcome of each element of a batch that fails in part: at least one fails in the given way,
   * and at least one is known to be applied.
   */
  synchronized List<@Nullable Fault> fates(Fault fault, int size) {
    @Nullable Fault[] fates = new Fault[size];
    for (int i = 0; i < size; i++) {
      fates[i] = random.nextBoolean() ? null : Fault.values()[random.nextInt(3)];
    }
    int failed = random.nextInt(size);
    fates[failed] = fault;
    fates[(failed + 1 + random.nextInt(size - 1)) % size] = null;
    return Arrays.asList(fates);
  }
}
