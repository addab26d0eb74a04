package org.hourstone.testing.life;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.hourstone.codec.RowKey;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.jspecify.annotations.Nullable;

/**
 * A store in one of whose calls something else happens, and with a {@linkplain InjectedFault
 * injected fault}. Thread-safe.
 */
final class LifeStore extends ForwardingStore {
  private static final String STATE = "tsdb-rollup-state";
  private static final String VALUES = "tsdb-rollup-";
  private static final byte[] NO_ROW = {2};
  private static final long DAY = 86_400;

  private record Held(Family family, List<RowMutation> batch) {}

  private final InjectedFault fault;
  private final RowKey keys;
  private final Family points;
  private final List<Held> held = new ArrayList<>();
  private final Set<Bytes> marks = ConcurrentHashMap.newKeySet();
  private volatile String step = "";
  private @Nullable Thread interrupted;
  private int callsLeft;
  private Runnable interruption = () -> {};

  LifeStore(KeyValueStore delegate, InjectedFault fault, RowKey keys, Family points) {
    super(delegate);
    this.fault = fault;
    this.keys = keys;
    this.points = points;
  }

  /** Has an action happen in a call of this thread. */
  synchronized void interrupt(int calls, Runnable action) {
    interrupted = Thread.currentThread();
    callsLeft = calls;
    interruption = action;
  }

  synchronized void interruptNoMore() {
    interrupted = null;
  }

  private void call() {
    Runnable action;
    synchronized (this) {
      if (interrupted != Thread.currentThread() || --callsLeft > 0) {
        return;
      }
      interrupted = null;
      action = interruption;
    }
    action.run();
  }

  /** What is done next is named, for faults. */
  void begin(String name) {
    step = name;
    List<Held> late;
    synchronized (held) {
      late = List.copyOf(held);
      held.clear();
    }
    late.forEach(each -> super.mutate(each.family(), each.batch()));
  }

  /** The process has died. */
  void lose(KeyValueStore behind) {
    if (fault == InjectedFault.MARKS_LOST_IN_CRASH) {
      for (Bytes mark : marks) {
        behind.mutate(
            new Family(STATE, "r"),
            List.of(new RowMutation(mark.array(), List.of(new Change.DeleteRow()))));
      }
    }
  }

  private static boolean isMark(Family family, RowMutation mutation) {
    return family.table().equals(STATE) && mutation.row()[0] == 1;
  }

  private static boolean isValues(Family family) {
    return family.table().startsWith(VALUES) && !family.table().equals(STATE);
  }

  @Override
  public void mutate(Family family, List<RowMutation> batch) {
    call();
    boolean marks = !batch.isEmpty() && isMark(family, batch.get(0));
    if (marks) {
      batch.forEach(each -> this.marks.add(new Bytes(each.row())));
    }
    switch (fault) {
      case DELETION_WITHOUT_MARK -> {
        if (marks && step.startsWith("delete")) {
          return;
        }
      }
      case PUT_WITHOUT_MARK -> {
        if (marks && step.startsWith("put")) {
          return;
        }
      }
      case LATE_MARK -> {
        if (marks) {
          hold(family, batch);
          return;
        }
      }
      case DONE_BEFORE_VALUES -> {
        if (isValues(family) && step.startsWith("roll")) {
          hold(family, batch);
          return;
        }
      }
      case DONE_WITH_OTHER_INTERVALS -> {
        if (family.table().equals(STATE) && !marks) {
          super.mutate(family, without(batch, "done"));
          return;
        }
      }
      case VALUES_WITHOUT_POINTS -> {
        if (isValues(family) && step.startsWith("roll")) {
          super.mutate(family, without(batch, ""));
          return;
        }
      }
      case ONE_ROW_TOO_MANY_EXPIRES -> {
        if (isValues(family) && step.startsWith("retention")) {
          deleteNext(family, batch, DAY);
        }
      }
      case ONE_HOUR_TOO_MANY_EXPIRES -> {
        if (family.equals(points) && step.startsWith("retention")) {
          deleteNext(family, batch, LifeModel.HOUR);
        }
      }
      default -> {}
    }
    super.mutate(family, batch);
  }

  private void hold(Family family, List<RowMutation> batch) {
    synchronized (held) {
      held.add(new Held(family, batch));
    }
  }

  /** The changes without deletions of cells. */
  private static List<RowMutation> without(List<RowMutation> batch, String qualifier) {
    List<RowMutation> some = new ArrayList<>();
    for (RowMutation each : batch) {
      List<Change> changes =
          each.changes().stream()
              .filter(
                  change ->
                      !(change instanceof Change.Delete delete
                          && (qualifier.isEmpty()
                              || qualifier.equals(new String(delete.qualifier(), UTF_8)))))
              .toList();
      if (!changes.isEmpty()) {
        some.add(new RowMutation(each.row(), changes));
      }
    }
    return some;
  }

  private void deleteNext(Family family, List<RowMutation> batch, long span) {
    for (RowMutation each : batch) {
      byte[] next = each.row().clone();
      keys.setBaseTime(next, keys.baseTime(next) + span);
      super.mutate(family, List.of(new RowMutation(next, List.of(new Change.DeleteRow()))));
    }
  }

  @Override
  public boolean compareAndSet(
      Family family,
      byte[] row,
      byte[] qualifier,
      byte @Nullable [] expected,
      byte @Nullable [] update) {
    call();
    if (fault == InjectedFault.MARK_REMOVED_BLINDLY && family.table().equals(STATE)) {
      Change change =
          update == null ? new Change.Delete(qualifier) : new Change.Put(qualifier, update);
      super.mutate(family, List.of(new RowMutation(row, List.of(change))));
      return true;
    }
    return super.compareAndSet(family, row, qualifier, expected, update);
  }

  @Override
  public boolean replaceCells(Family family, Row observed, List<Cell> replacement) {
    call();
    return super.replaceCells(family, observed, replacement);
  }

  @Override
  public Row get(Family family, byte[] row, Columns columns) {
    call();
    return super.get(family, row, columns);
  }

  @Override
  public List<Row> get(Family family, List<byte[]> rows, Columns columns) {
    call();
    return super.get(family, rows, columns);
  }

  @Override
  public RowCursor scan(Family family, Scan scan) {
    call();
    if (fault == InjectedFault.MARKS_UNSEEN_BY_RETENTION
        && family.table().equals(STATE)
        && step.startsWith("retention")) {
      return super.scan(family, Scan.prefix(NO_ROW));
    }
    return super.scan(family, scan);
  }
}
