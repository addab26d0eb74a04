package org.hourstone.testkit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.FuzzyRow;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowFilter;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.jspecify.annotations.Nullable;

/** One step of a random script: executes an operation on a store and returns its result. */
sealed interface ScriptStep {
  /** Write times below this were given by the script; those above were assigned by a store. */
  long FIRST_ASSIGNED_TIME = 1_000_000_000_000L;

  String run(World world);

  /**
   * A store in which a script runs, in rows with its own prefix, so that scripts don't affect each
   * other.
   *
   * @param observed rows that were read to be replaced later, by slot
   */
  record World(KeyValueStore store, Family family, byte[] prefix, Map<Integer, Row> observed) {
    World(KeyValueStore store, Family family, byte[] prefix) {
      this(store, family, prefix, new HashMap<>());
    }

    byte[] row(Bytes key) {
      return new Bytes(concat(prefix, key.array())).array();
    }

    String show(Row row) {
      byte[] key = Arrays.copyOfRange(row.key(), prefix.length, row.key().length);
      StringBuilder text = new StringBuilder().append(new Bytes(key)).append('{');
      for (int i = 0; i < row.size(); i++) {
        text.append(i == 0 ? "" : " ").append(new Bytes(row.qualifier(i))).append('=');
        text.append(new Bytes(row.value(i)));
        if (row.writeTime(i) < FIRST_ASSIGNED_TIME) {
          text.append('@').append(row.writeTime(i));
        }
      }
      return text.append('}').toString();
    }

    String show(List<Row> rows) {
      return rows.stream().map(this::show).toList().toString();
    }

    private static byte[] concat(byte[] first, byte[] second) {
      byte[] both = Arrays.copyOf(first, first.length + second.length);
      System.arraycopy(second, 0, both, first.length, second.length);
      return both;
    }
  }

  /**
   * The parameters of a change; an unused one is empty, or the time that lets the store assign it.
   */
  record Edit(Kind kind, Bytes qualifier, Bytes value, long time) {
    enum Kind {
      PUT,
      APPEND,
      DELETE,
      DELETE_ROW
    }

    Change change() {
      return switch (kind) {
        case PUT -> new Cell(qualifier.array(), value.array(), time).put();
        case APPEND -> new Change.Append(qualifier.array(), value.array());
        case DELETE -> new Change.Delete(qualifier.array());
        case DELETE_ROW -> new Change.DeleteRow();
      };
    }

    @Override
    public String toString() {
      return switch (kind) {
        case PUT -> "put " + qualifier + "=" + value + (time < 0 ? "" : "@" + time);
        case APPEND -> "append " + qualifier + "+" + value;
        case DELETE -> "delete " + qualifier;
        case DELETE_ROW -> "delete row";
      };
    }
  }

  /** The changes of a batch to one row. */
  record Element(Bytes row, List<Edit> edits) {}

  /** The columns of a read: exactly these, or else a range. */
  record Kept(List<Bytes> exactly, Bytes start, @Nullable Bytes stop) {
    Columns columns() {
      if (!exactly.isEmpty()) {
        return new Columns.Exact(exactly.stream().map(Bytes::array).toList());
      }
      return new Columns.Range(start.array(), stop == null ? null : stop.array());
    }
  }

  record Mutate(List<Element> elements) implements ScriptStep {
    @Override
    public String run(World world) {
      List<RowMutation> batch = new ArrayList<>();
      for (Element element : elements) {
        batch.add(
            new RowMutation(
                world.row(element.row()), element.edits().stream().map(Edit::change).toList()));
      }
      world.store().mutate(world.family(), batch);
      return "done";
    }
  }

  record Increment(Bytes row, Bytes qualifier, long delta) implements ScriptStep {
    @Override
    public String run(World world) {
      return "%d"
          .formatted(
              world.store().increment(world.family(), world.row(row), qualifier.array(), delta));
    }
  }

  record CompareAndSet(Bytes row, Bytes qualifier, @Nullable Bytes expected, @Nullable Bytes update)
      implements ScriptStep {
    @Override
    public String run(World world) {
      boolean set =
          world
              .store()
              .compareAndSet(
                  world.family(),
                  world.row(row),
                  qualifier.array(),
                  expected == null ? null : expected.array(),
                  update == null ? null : update.array());
      return set ? "set" : "not set";
    }
  }

  record Observe(int slot, Bytes row, Kept kept) implements ScriptStep {
    @Override
    public String run(World world) {
      Row observed = world.store().get(world.family(), world.row(row), kept.columns());
      world.observed().put(slot, observed);
      return world.show(observed);
    }
  }

  record Replace(int slot, List<Edit> puts) implements ScriptStep {
    @Override
    public String run(World world) {
      Row observed = world.observed().get(slot);
      if (observed == null) {
        return "nothing observed";
      }
      List<Cell> cells = new ArrayList<>();
      for (Edit put : puts) {
        cells.add(new Cell(put.qualifier().array(), put.value().array(), put.time()));
      }
      world.store().replaceCells(world.family(), observed, cells);
      return "done";
    }
  }

  record MultiGet(List<Bytes> rows, Kept kept) implements ScriptStep {
    @Override
    public String run(World world) {
      List<byte[]> keys = rows.stream().map(world::row).toList();
      return world.show(world.store().get(world.family(), keys, kept.columns()));
    }
  }

  /**
   * @param fuzzy a template for the key after the prefix, hex digits with ?? for any byte; null for
   *     no filter
   */
  record Scanned(
      Bytes start,
      @Nullable Bytes stop,
      Kept kept,
      @Nullable String fuzzy,
      int perFetch,
      long limit)
      implements ScriptStep {
    @Override
    public String run(World world) {
      byte[] end = stop == null ? Scan.prefix(world.prefix()).stop() : world.row(stop);
      Scan scan =
          Scan.range(world.row(start), end)
              .columns(kept.columns())
              .filter(filter(world.prefix()))
              .rowsPerFetch(perFetch)
              .limit(limit);
      return world.show(StoreContract.rows(world.store(), world.family(), scan));
    }

    private RowFilter filter(byte[] prefix) {
      if (fuzzy == null) {
        return RowFilter.any();
      }
      byte[] template = Arrays.copyOf(prefix, prefix.length + fuzzy.length() / 2);
      boolean[] fixed = new boolean[template.length];
      Arrays.fill(fixed, 0, prefix.length, true);
      for (int i = 0; i < fuzzy.length(); i += 2) {
        if (fuzzy.charAt(i) != '?') {
          int at = prefix.length + i / 2;
          template[at] = (byte) Integer.parseInt(fuzzy.substring(i, i + 2), 16);
          fixed[at] = true;
        }
      }
      return new FuzzyRow(template, fixed);
    }
  }
}
