package org.hourstone.kv.hbase;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.hourstone.kv.Change;
import org.hourstone.kv.Family;
import org.hourstone.kv.RowMutation;
import org.jspecify.annotations.Nullable;

/**
 * Changes in HBase's form. Everything is copied, so that the client may repeat a call after the
 * caller has got its arrays back.
 *
 * @param durability whether a change is on the servers' disks before it is acknowledged
 */
record Mutations(Durability durability) {
  /** All changes of a row in one atomic action. */
  Row action(Family family, RowMutation mutation) {
    return new RowChanges(Names.bytes(family), mutation.row()).addAll(mutation.changes()).action();
  }

  RowChanges changes(Family family, byte[] row) {
    return new RowChanges(Names.bytes(family), row);
  }

  Increment increment(Family family, byte[] row, byte[] qualifier, long delta) {
    Increment increment = new Increment(row.clone());
    increment.addColumn(Names.bytes(family), qualifier.clone(), delta);
    increment.setDurability(durability);
    return increment;
  }

  /** About how many bytes a batch takes while it is on its way. */
  static long size(List<RowMutation> batch) {
    long size = 0;
    for (RowMutation mutation : batch) {
      for (Change change : mutation.changes()) {
        size += CELL_OVERHEAD + mutation.row().length + change.qualifier().length;
        if (change instanceof Change.Put put) {
          size += put.value().length;
        } else if (change instanceof Change.Append append) {
          size += append.suffix().length;
        }
      }
    }
    return size;
  }

  /** A cell's other bytes: lengths, family, time, type and the objects around them. */
  private static final int CELL_OVERHEAD = 100;

  /** The changes of one row: those of a kind are one HBase mutation. */
  final class RowChanges {
    private final byte[] family;
    private final byte[] row;
    private final List<Mutation> mutations = new ArrayList<>(1);
    private @Nullable Delete deletes;

    private RowChanges(byte[] family, byte[] row) {
      this.family = family;
      this.row = row.clone();
    }

    RowChanges addAll(List<Change> changes) {
      Put puts = null;
      Append appends = null;
      for (Change change : changes) {
        if (change instanceof Change.Put put) {
          puts = puts == null ? started(new Put(row)) : puts;
          add(puts, put);
        } else if (change instanceof Change.Append append) {
          appends = appends == null ? started(new Append(row).setReturnResults(false)) : appends;
          appends.addColumn(family, append.qualifier().clone(), append.suffix().clone());
        } else if (change instanceof Change.Delete delete) {
          deletes().addColumns(family, delete.qualifier().clone());
        } else {
          deletes().addFamily(family);
        }
      }
      return this;
    }

    /** Removes all of a cell that is dated up to this time. */
    void deleteUpTo(byte[] qualifier, long time) {
      deletes().addColumns(family, qualifier.clone(), time);
    }

    /** Removes what a cell was at exactly this time. */
    void deleteVersion(byte[] qualifier, long time) {
      deletes().addColumn(family, qualifier.clone(), time);
    }

    boolean isEmpty() {
      return mutations.isEmpty();
    }

    Row action() {
      return mutations.size() == 1 ? mutations.get(0) : rowMutations();
    }

    RowMutations rowMutations() {
      try {
        return RowMutations.of(mutations);
      } catch (IOException e) {
        throw new UncheckedIOException(e); // of rows that differ; they don't
      }
    }

    private Delete deletes() {
      if (deletes == null) {
        deletes = started(new Delete(row));
      }
      return deletes;
    }

    private <M extends Mutation> M started(M mutation) {
      mutation.setDurability(durability);
      mutations.add(mutation);
      return mutation;
    }

    private void add(Put put, Change.Put change) {
      boolean given = change.writeTime() != Change.Put.STORE_TIME;
      long time = given ? change.writeTime() : HConstants.LATEST_TIMESTAMP;
      try {
        put.add(new KeyValue(row, family, change.qualifier(), time, change.value()));
      } catch (IOException e) {
        throw new UncheckedIOException(e); // of a cell of another row; it isn't
      }
    }
  }
}
