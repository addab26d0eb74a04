package org.hourstone.kv.rocksdb;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Change;
import org.hourstone.kv.Checks;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.kv.Trait;
import org.hourstone.testkit.KeyValueStoreContract;
import org.hourstone.testkit.StoreFixture;
import org.jspecify.annotations.Nullable;

/** The contract of stores, in a store where all cells of a row may be coded and share a place. */
class SharedPlaceContractTest extends KeyValueStoreContract {
  @Override
  protected KeyValueStore open(StoreFixture fixture) {
    return new LongQualifiers(
        new CodingStore(
            fixture.directory().resolve(fixture.name()), fixture.options(), new MirrorCodec()));
  }

  @Override
  protected KeyValueStore openCheckpoint(Path copy, StoreFixture fixture) {
    return new LongQualifiers(new CodingStore(copy, fixture.options(), new MirrorCodec()));
  }

  @Override
  protected Map<String, String> knownDeviations() {
    String longer = "what is stored is larger than what was given";
    return Map.of("aQualifierMayBeAsLongAsTheLimit", longer, "aCellMayBeAsLargeAsTheLimit", longer);
  }

  /** Each qualifier is stored with the same beginning, of which those above know nothing. */
  private static final class LongQualifiers extends ForwardingStore {
    private static final byte[] BEGINNING = {1, 2, 3, 4, 5, 6};

    LongQualifiers(KeyValueStore store) {
      super(store);
    }

    /** Not durable for this test, which would read the store by its URI, without this class. */
    @Override
    public Set<Trait> traits() {
      return Set.of(Trait.MONOTONIC_WRITE_TIMES);
    }

    private static byte[] lengthened(byte[] qualifier) {
      byte[] longer = Arrays.copyOf(BEGINNING, BEGINNING.length + qualifier.length);
      System.arraycopy(qualifier, 0, longer, BEGINNING.length, qualifier.length);
      return longer;
    }

    private static Columns lengthened(Columns columns) {
      if (columns instanceof Columns.Exact exact) {
        return new Columns.Exact(
            exact.qualifiers().stream().map(LongQualifiers::lengthened).toList());
      }
      if (columns instanceof Columns.Range range) {
        byte[] stop = range.stop();
        return new Columns.Range(lengthened(range.start()), stop == null ? null : lengthened(stop));
      }
      return columns;
    }

    private static RowMutation lengthened(RowMutation mutation) {
      return new RowMutation(
          mutation.row(), mutation.changes().stream().map(LongQualifiers::lengthened).toList());
    }

    private static Change lengthened(Change change) {
      byte[] qualifier = lengthened(change.qualifier());
      if (change instanceof Change.Put put) {
        return new Change.Put(qualifier, put.value());
      } else if (change instanceof Change.PutIfNewer put) {
        return new Change.PutIfNewer(qualifier, put.value(), put.writeTime());
      } else if (change instanceof Change.Append append) {
        return new Change.Append(qualifier, append.suffix());
      } else if (change instanceof Change.Delete) {
        return new Change.Delete(qualifier);
      }
      return change;
    }

    /** The row with longer or shorter qualifiers. */
    private static Row changed(Row row, boolean lengthen) {
      byte[][] qualifiers = new byte[row.size()][];
      byte[][] values = new byte[row.size()][];
      long[] times = new long[row.size()];
      for (int i = 0; i < row.size(); i++) {
        byte[] qualifier = row.qualifier(i);
        qualifiers[i] =
            lengthen
                ? lengthened(qualifier)
                : Arrays.copyOfRange(qualifier, BEGINNING.length, qualifier.length);
        values[i] = row.value(i);
        times[i] = row.writeTime(i);
      }
      return Row.of(row.key(), qualifiers, values, times);
    }

    @Override
    public Row get(Family family, byte[] row, Columns columns) {
      return changed(super.get(family, row, lengthened(columns)), false);
    }

    @Override
    public List<Row> get(Family family, List<byte[]> rows, Columns columns) {
      return super.get(family, rows, lengthened(columns)).stream()
          .map(row -> changed(row, false))
          .toList();
    }

    @Override
    public RowCursor scan(Family family, Scan scan) {
      RowCursor rows = super.scan(family, scan.columns(lengthened(scan.columns())));
      return new RowCursor() {
        @Override
        public @Nullable Row next() {
          Row row = rows.next();
          return row == null ? null : changed(row, false);
        }

        @Override
        public void close() {
          rows.close();
        }
      };
    }

    @Override
    public void mutate(Family family, List<RowMutation> batch) {
      Checks.batch(batch);
      super.mutate(family, batch.stream().map(LongQualifiers::lengthened).toList());
    }

    @Override
    public long increment(Family family, byte[] row, byte[] qualifier, long delta) {
      return super.increment(family, row, lengthened(qualifier), delta);
    }

    @Override
    public boolean compareAndSet(
        Family family,
        byte[] row,
        byte[] qualifier,
        byte @Nullable [] expected,
        byte @Nullable [] update) {
      return super.compareAndSet(family, row, lengthened(qualifier), expected, update);
    }

    @Override
    public boolean replaceCells(Family family, Row observed, List<Cell> replacement) {
      List<Cell> longer =
          replacement.stream()
              .map(cell -> new Cell(lengthened(cell.qualifier()), cell.value(), cell.writeTime()))
              .toList();
      return super.replaceCells(family, changed(observed, true), longer);
    }
  }
}
