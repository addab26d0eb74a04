package org.hourstone.testkit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowFilter;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.kv.SchemaMode;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.Trait;
import org.jspecify.annotations.Nullable;

/** Stores with one planted fault each, the kinds of fault that real ones had. */
final class BrokenStores {
  private BrokenStores() {}

  /** Reads, then puts: appends that meet are lost. */
  static KeyValueStore appendsByReadingAndPutting(KeyValueStore sound) {
    return new Gapped(sound) {
      @Override
      public void append(Family family, byte[] row, byte[] qualifier, byte[] suffix) {
        byte[] old = get(family, row, Columns.exactly(qualifier)).find(qualifier);
        byte[] joined = Arrays.copyOf(old == null ? new byte[0] : old, suffix.length + length(old));
        System.arraycopy(suffix, 0, joined, length(old), suffix.length);
        gap();
        put(family, row, qualifier, joined);
      }
    };
  }

  private static int length(byte @Nullable [] value) {
    return value == null ? 0 : value.length;
  }

  /** Orders keys as Java orders bytes. */
  static KeyValueStore comparesSignedBytes(KeyValueStore sound) {
    return new ForwardingStore(sound) {
      @Override
      public RowCursor scan(Family family, Scan scan) {
        List<Row> rows = StoreContract.rows(delegate(), family, scan);
        rows.sort(Comparator.comparing(Row::key, Arrays::compare));
        return cursor(rows.iterator());
      }
    };
  }

  /** Applies the changes of a mutation one after the other. */
  static KeyValueStore showsHalfRows(KeyValueStore sound) {
    return new Gapped(sound) {
      @Override
      public void mutate(Family family, List<RowMutation> batch) {
        for (RowMutation mutation : batch) {
          List<Change> changes = mutation.changes();
          super.mutate(family, List.of(new RowMutation(mutation.row(), changes.get(0))));
          if (changes.size() > 1) {
            gap();
            List<Change> rest = changes.subList(1, changes.size());
            super.mutate(family, List.of(new RowMutation(mutation.row(), rest)));
          }
        }
      }
    };
  }

  /** Sets whatever is there. */
  static KeyValueStore ignoresWhatIsExpected(KeyValueStore sound) {
    return new ForwardingStore(sound) {
      @Override
      public boolean compareAndSet(
          Family family,
          byte[] row,
          byte[] qualifier,
          byte @Nullable [] expected,
          byte @Nullable [] update) {
        byte[] present = get(family, row, Columns.exactly(qualifier)).find(qualifier);
        return super.compareAndSet(family, row, qualifier, present, update);
      }
    };
  }

  /** Says that a scan has ended when the store was closed. */
  static KeyValueStore endsScansWhenClosed(KeyValueStore sound) {
    return new ForwardingStore(sound) {
      @Override
      public RowCursor scan(Family family, Scan scan) {
        RowCursor cursor = super.scan(family, scan);
        return new RowCursor() {
          @Override
          public @Nullable Row next() {
            try {
              return cursor.next();
            } catch (IllegalStateException closed) {
              return null;
            }
          }

          @Override
          public void close() {
            cursor.close();
          }
        };
      }
    };
  }

  /** Seeks one row too far where a filter does not match. */
  static KeyValueStore seeksTooFar(KeyValueStore sound) {
    return new ForwardingStore(sound) {
      @Override
      public RowCursor scan(Family family, Scan scan) {
        List<Row> kept = new ArrayList<>();
        boolean skip = false;
        for (Row row : StoreContract.rows(delegate(), family, scan.filter(RowFilter.any()))) {
          if (skip) {
            skip = false;
          } else if (scan.filter().matches(row.key())) {
            kept.add(row);
          } else {
            skip = scan.filter().seekHint(row.key()) != null;
          }
        }
        return cursor(kept.iterator());
      }
    };
  }

  /** Removes what was observed even if it has changed since. */
  static KeyValueStore replacesWithoutLooking(KeyValueStore sound) {
    return new Gapped(sound) {
      @Override
      public boolean replaceCells(Family family, Row observed, List<Cell> replacement) {
        gap();
        return super.replaceCells(family, get(family, observed.key(), Columns.all()), replacement);
      }
    };
  }

  /** Claims every trait there is. */
  static KeyValueStore promisesEverything(KeyValueStore sound) {
    return new ForwardingStore(sound) {
      @Override
      public Set<Trait> traits() {
        return EnumSet.allOf(Trait.class);
      }
    };
  }

  /** Applies the first element of a batch before it looks at the rest. */
  static KeyValueStore checksBatchesLate(KeyValueStore sound) {
    return new Gapped(sound) {
      @Override
      public void mutate(Family family, List<RowMutation> batch) {
        if (!batch.isEmpty()) {
          super.mutate(family, batch.subList(0, 1));
          gap();
          super.mutate(family, batch.subList(1, batch.size()));
        }
      }
    };
  }

  /** Dates what it writes by a clock of its own. */
  static KeyValueStore datesByItsOwnClock(KeyValueStore sound) {
    return new ForwardingStore(sound) {
      @Override
      public void mutate(Family family, List<RowMutation> batch) {
        super.mutate(family, batch.stream().map(mutation -> dated(mutation)).toList());
      }
    };
  }

  private static RowMutation dated(RowMutation mutation) {
    UnaryOperator<Change> date =
        change ->
            change instanceof Change.Put put
                ? new Change.PutIfNewer(put.qualifier(), put.value(), 1_300_000_000_000L)
                : change;
    return new RowMutation(mutation.row(), mutation.changes().stream().map(date).toList());
  }

  /** Tells of every failed write that nothing was applied. */
  static KeyValueStore doesNotKnowRejected(KeyValueStore sound) {
    return new ForwardingStore(sound) {
      @Override
      public long increment(Family family, byte[] row, byte[] qualifier, long delta) {
        try {
          return super.increment(family, row, qualifier, delta);
        } catch (StoreException failure) {
          throw new StoreException(StoreException.Outcome.NOT_APPLIED, "failed", failure);
        }
      }
    };
  }

  /** Stops at the first family that is missing. */
  static KeyValueStore namesOneMissingFamily(KeyValueStore sound) {
    return new ForwardingStore(sound) {
      @Override
      public void ensure(Collection<FamilySpec> families, SchemaMode mode) {
        families.forEach(family -> super.ensure(List.of(family), mode));
      }
    };
  }

  /** A store with a gap in the middle of a call, for another thread's call to fall into. */
  private abstract static class Gapped extends ForwardingStore {
    private static final int PATIENCE = 20_000;
    private final AtomicLong calls = new AtomicLong();

    Gapped(KeyValueStore sound) {
      super(sound);
    }

    /** Waits for another thread to make a call, but not for ever: there may be none. */
    final void gap() {
      long before = calls.get();
      for (int i = 0; i < PATIENCE && calls.get() == before; i++) {
        Thread.onSpinWait();
      }
    }

    @Override
    public Row get(Family family, byte[] row, Columns columns) {
      Row found = super.get(family, row, columns);
      calls.incrementAndGet();
      return found;
    }

    @Override
    public RowCursor scan(Family family, Scan scan) {
      RowCursor cursor = super.scan(family, scan);
      calls.incrementAndGet();
      return cursor;
    }

    @Override
    public void mutate(Family family, List<RowMutation> batch) {
      super.mutate(family, batch);
      calls.incrementAndGet();
    }
  }

  private static RowCursor cursor(Iterator<Row> rows) {
    return new RowCursor() {
      @Override
      public @Nullable Row next() {
        return rows.hasNext() ? rows.next() : null;
      }

      @Override
      public void close() {}
    };
  }
}
