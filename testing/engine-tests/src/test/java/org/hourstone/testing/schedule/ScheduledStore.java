package org.hourstone.testing.schedule;

import java.util.HexFormat;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.hourstone.testing.schedule.Step.Kind;
import org.jspecify.annotations.Nullable;

/**
 * A process's handle on the store: every call waits until the schedule has it be next, and has the
 * fate the schedule gives it. A scan is one call.
 */
final class ScheduledStore extends ForwardingStore {
  private static final HexFormat HEX = HexFormat.of();

  private final World world;
  private final SimulatedProcess process;

  ScheduledStore(World world, SimulatedProcess process) {
    super(world.store());
    this.world = world;
    this.process = process;
  }

  @Override
  public Row get(Family family, byte[] row, Columns columns) {
    return call(
        Kind.READ,
        family,
        () -> List.of(new Bytes(row)),
        () -> "get " + family + " " + text(row),
        () -> super.get(family, row, columns));
  }

  @Override
  public List<Row> get(Family family, List<byte[]> rows, Columns columns) {
    return call(
        Kind.READ,
        family,
        () -> rows.stream().map(Bytes::new).toList(),
        () -> "get " + family + " " + rows.stream().map(ScheduledStore::text).toList(),
        () -> super.get(family, rows, columns));
  }

  @Override
  public RowCursor scan(Family family, Scan scan) {
    return call(
        Kind.READ, family, List::of, () -> "scan " + family, () -> super.scan(family, scan));
  }

  @Override
  public void mutate(Family family, List<RowMutation> batch) {
    call(
        Kind.CHANGE,
        family,
        () -> batch.stream().map(mutation -> new Bytes(mutation.row())).toList(),
        () -> "mutate " + family + " " + batch.stream().map(ScheduledStore::text).toList(),
        () -> {
          super.mutate(family, batch);
          return "done";
        });
  }

  @Override
  public long increment(Family family, byte[] row, byte[] qualifier, long delta) {
    return call(
        Kind.CHANGE,
        family,
        () -> List.of(new Bytes(row)),
        () -> "increment " + family + " " + text(row) + " by " + delta,
        () -> super.increment(family, row, qualifier, delta));
  }

  @Override
  public boolean compareAndSet(
      Family family,
      byte[] row,
      byte[] qualifier,
      byte @Nullable [] expected,
      byte @Nullable [] update) {
    return call(
        Kind.CHANGE,
        family,
        () -> List.of(new Bytes(row)),
        () ->
            "compareAndSet "
                + family
                + " "
                + text(row)
                + " from "
                + text(expected)
                + " to "
                + text(update),
        () -> super.compareAndSet(family, row, qualifier, expected, update));
  }

  @Override
  public boolean replaceCells(Family family, Row observed, List<Cell> replacement) {
    return call(
        Kind.CHANGE,
        family,
        () -> List.of(new Bytes(observed.key())),
        () -> "replaceCells " + family + " " + text(observed) + " by " + cells(replacement),
        () -> super.replaceCells(family, observed, replacement));
  }

  private <T> T call(
      Kind kind,
      Family family,
      Supplier<List<Bytes>> rows,
      Supplier<String> text,
      Supplier<T> call) {
    if (!world.isPlaying() || !world.isScheduled(family)) {
      return call.get();
    }
    Actor actor = process.current();
    Operation operation = actor.operation;
    boolean begins = operation != null && !operation.hasBegun();
    Step step = new Step(actor, kind, begins, family, rows.get(), text);
    Fate fate = world.schedule().enter(step);
    if (operation != null) {
      operation.begin(world.schedule().now() - 1);
      operation.changes += kind == Kind.CHANGE ? 1 : 0;
    }
    T result = fate.isApplied() ? call.get() : null;
    world.tick();
    if (kind == Kind.CHANGE) {
      try {
        world.changed(step);
      } catch (RuntimeException | AssertionError e) {
        world.schedule().fail(e);
        throw new Schedule.Abandoned();
      }
    }
    step.result =
        result instanceof Boolean || result instanceof Long
            ? " = " + result
            : result instanceof Row row ? " = " + text(row) : "";
    if (fate == Fate.CRASH_AFTER) {
      process.crashed = true;
      throw new Schedule.Crash();
    }
    if (process.shared) {
      world.schedule().enter(Step.reply(actor));
    }
    if (result == null || fate != Fate.DONE) {
      throw new StoreException(
          fate == Fate.NOT_APPLIED ? Outcome.NOT_APPLIED : Outcome.UNKNOWN, fate.toString());
    }
    return result;
  }

  /** A short key as text if it is some, else in hexadecimal digits. */
  static String text(byte @Nullable [] bytes) {
    if (bytes == null) {
      return "none";
    }
    boolean letters = bytes.length > 1;
    for (byte each : bytes) {
      letters &= each >= 'a' && each <= 'z';
    }
    return letters
        ? new String(bytes, java.nio.charset.StandardCharsets.ISO_8859_1)
        : HEX.formatHex(bytes);
  }

  static String text(Row row) {
    StringBuilder text = new StringBuilder("{");
    for (int i = 0; i < row.size(); i++) {
      text.append(i == 0 ? "" : " ")
          .append(text(row.qualifier(i)))
          .append('=')
          .append(text(row.value(i)))
          .append('@')
          .append(row.writeTime(i));
    }
    return text.append('}').toString();
  }

  private static String cells(List<Cell> cells) {
    return cells.stream()
        .map(cell -> text(cell.qualifier()) + "=" + text(cell.value()) + "@" + cell.writeTime())
        .collect(Collectors.joining(" ", "{", "}"));
  }

  private static String text(RowMutation mutation) {
    return text(mutation.row())
        + mutation.changes().stream()
            .map(ScheduledStore::text)
            .collect(Collectors.joining(" ", " {", "}"));
  }

  private static String text(Change change) {
    if (change instanceof Change.Put put) {
      return text(put.qualifier()) + "=" + text(put.value());
    } else if (change instanceof Change.PutIfNewer put) {
      return text(put.qualifier()) + "=" + text(put.value()) + "@" + put.writeTime();
    } else if (change instanceof Change.Append append) {
      return text(append.qualifier()) + "+=" + text(append.suffix());
    } else if (change instanceof Change.Delete delete) {
      return "-" + text(delete.qualifier());
    }
    return change instanceof Change.DeleteRow ? "-row" : change.toString();
  }
}
