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
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Change;
import org.hourstone.kv.Family;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.StoreException;
import org.jspecify.annotations.Nullable;

/**
 * Converts changes to HBase's form. Everything is copied, since the client may repeat a call after
 * the caller has reused its arrays.
 *
 * @param durability whether a change is on the servers' disks before it is acknowledged
 * @param limits the sizes above which a change is refused
 * @param errors creates the exceptions for changes that HBase does not accept
 */
record Mutations(Durability durability, SizeLimits limits, HBaseErrors errors) {
  /**
   * All changes of a row as one atomic action.
   *
   * @throws StoreException REJECTED if HBase's client would not send it
   */
  Row action(Family family, RowMutation mutation) {
    return changes(family, mutation.row()).addAll(mutation.changes()).action();
  }

  RowChanges changes(Family family, byte[] row) {
    return new RowChanges(family, row);
  }

  Increment increment(Family family, byte[] row, byte[] qualifier, long delta) {
    Increment increment = new Increment(row.clone());
    increment.addColumn(Names.bytes(family), qualifier.clone(), delta);
    increment.setDurability(durability);
    return increment;
  }

  /** The approximate number of bytes of a row's changes while they are being sent. */
  static long size(RowMutation mutation) {
    long size = 0;
    for (Change change : mutation.changes()) {
      size += CELL_OVERHEAD + mutation.row().length + change.qualifier().length;
      if (change instanceof Change.Put put) {
        size += put.value().length;
      } else if (change instanceof Change.PutIfNewer put) {
        size += put.value().length;
      } else if (change instanceof Change.Append append) {
        size += append.suffix().length;
      }
    }
    return size;
  }

  /** An upper bound of the number of mutations for a row's changes: one of each kind. */
  static int count(RowMutation mutation) {
    return Math.min(KINDS, mutation.changes().size());
  }

  /** Puts, appends and deletions. */
  private static final int KINDS = 3;

  /** A cell's other bytes: lengths, family, time, type and the objects around them. */
  private static final int CELL_OVERHEAD = 100;

  /** The changes of one row; changes of the same kind are one HBase mutation. */
  final class RowChanges {
    private final Family names;
    private final byte[] family;
    private final byte[] row;
    private final List<Mutation> mutations = new ArrayList<>(1);
    private @Nullable Delete deletes;
    private long bytes;

    private RowChanges(Family names, byte[] row) {
      this.names = names;
      this.family = Names.bytes(names);
      this.row = row.clone();
    }

    RowChanges addAll(List<Change> changes) {
      Put puts = null;
      Append appends = null;
      for (Change change : changes) {
        if (change instanceof Change.Put put) {
          puts = puts == null ? started(new Put(row)) : puts;
          add(puts, new Cell(put.qualifier(), put.value()));
        } else if (change instanceof Change.PutIfNewer put) {
          puts = puts == null ? started(new Put(row)) : puts;
          add(puts, new Cell(put.qualifier(), put.value(), put.writeTime()));
        } else if (change instanceof Change.Append append) {
          appends = appends == null ? started(new Append(row).setReturnResults(false)) : appends;
          appends.addColumn(family, append.qualifier().clone(), append.suffix().clone());
          send(append.suffix().length);
        } else if (change instanceof Change.Delete delete) {
          deletes().addColumns(family, delete.qualifier().clone());
        } else {
          deletes().addFamily(family);
        }
      }
      return this;
    }

    /** Removes all versions of a cell dated up to this time. */
    void deleteUpTo(byte[] qualifier, long time) {
      deletes().addColumns(family, qualifier.clone(), time);
    }

    /** Removes a cell's version with exactly this time. */
    void deleteVersion(byte[] qualifier, long time) {
      deletes().addColumn(family, qualifier.clone(), time);
    }

    Row action() {
      return mutations.size() == 1 ? mutations.get(0) : rowMutations();
    }

    RowMutations rowMutations() {
      try {
        return RowMutations.of(mutations);
      } catch (IOException e) {
        throw new UncheckedIOException(e); // thrown if rows differ; they don't
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

    private void add(Put put, Cell change) {
      boolean given = change.writeTime() != Cell.STORE_TIME;
      long time = given ? change.writeTime() : HConstants.LATEST_TIMESTAMP;
      KeyValue cell = new KeyValue(row, family, change.qualifier(), time, change.value());
      if (limits.cell() > 0 && cell.getLength() > limits.cell()) {
        throw errors.rejected(
            "cannot write %s: a cell of %d bytes is above %s=%d, in row %s"
                .formatted(
                    names, cell.getLength(), SizeLimits.CELL_KEY, limits.cell(), new Bytes(row)));
      }
      send(cell.getLength());
      try {
        put.add(cell);
      } catch (IOException e) {
        throw new UncheckedIOException(e); // thrown for a cell of another row; it isn't
      }
    }

    /** Counts bytes that the request will contain at least. */
    private void send(int more) {
      bytes += more;
      if (bytes > limits.request()) {
        throw errors.rejected(
            "cannot write %s: the changes of a row are above %s=%d, in row %s"
                .formatted(names, SizeLimits.REQUEST_KEY, limits.request(), new Bytes(row)));
      }
    }
  }
}
