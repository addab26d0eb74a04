package org.hourstone.testkit.store;

import java.util.List;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * The store of a process that dies: after its death no call reaches the wrapped store, which stays
 * open for the next process. Thread-safe.
 */
public final class MortalStore extends ForwardingStore {
  /** Is in the message of every exception after its death. */
  public static final String DEAD = "the process has died";

  private int writesLeft = Integer.MAX_VALUE;
  private boolean lastIsApplied;
  private boolean isReadable;

  public MortalStore(KeyValueStore delegate) {
    super(delegate);
  }

  /** Dies now. */
  public synchronized void die() {
    writesLeft = -1;
  }

  /**
   * Dies in a write.
   *
   * @param writes the number of writes that are applied before it
   * @param applied whether the one in which it dies is applied, too
   */
  public synchronized void dieAfter(int writes, boolean applied) {
    writesLeft = writes;
    lastIsApplied = applied;
  }

  /**
   * Fails its writes after some of them, but not its reads, until it {@linkplain #recover
   * recovers}.
   */
  public synchronized void failAfter(int writes) {
    dieAfter(writes, false);
    isReadable = true;
  }

  /** Lives again. */
  public synchronized void recover() {
    writesLeft = Integer.MAX_VALUE;
    isReadable = false;
  }

  private synchronized void beforeRead() {
    if (writesLeft < 0 && !isReadable) {
      throw new StoreException(Outcome.NOT_APPLIED, DEAD);
    }
  }

  /** Returns whether to die right after the write. */
  private synchronized boolean beforeWrite() {
    if (writesLeft < 0) {
      throw new StoreException(Outcome.NOT_APPLIED, DEAD);
    }
    if (writesLeft == Integer.MAX_VALUE) {
      return false;
    }
    writesLeft--;
    if (writesLeft < 0 && !lastIsApplied) {
      throw new StoreException(Outcome.UNKNOWN, DEAD);
    }
    return writesLeft < 0;
  }

  private static void afterWrite(boolean dies) {
    if (dies) {
      throw new StoreException(Outcome.UNKNOWN, DEAD);
    }
  }

  @Override
  public Row get(Family family, byte[] row, Columns columns) {
    beforeRead();
    return super.get(family, row, columns);
  }

  @Override
  public List<Row> get(Family family, List<byte[]> rows, Columns columns) {
    beforeRead();
    return super.get(family, rows, columns);
  }

  @Override
  public RowCursor scan(Family family, Scan scan) {
    beforeRead();
    return super.scan(family, scan);
  }

  @Override
  public void mutate(Family family, List<RowMutation> batch) {
    boolean dies = beforeWrite();
    super.mutate(family, batch);
    afterWrite(dies);
  }

  @Override
  public long increment(Family family, byte[] row, byte[] qualifier, long delta) {
    boolean dies = beforeWrite();
    long value = super.increment(family, row, qualifier, delta);
    afterWrite(dies);
    return value;
  }

  @Override
  public boolean compareAndSet(
      Family family,
      byte[] row,
      byte[] qualifier,
      byte @Nullable [] expected,
      byte @Nullable [] update) {
    boolean dies = beforeWrite();
    boolean set = super.compareAndSet(family, row, qualifier, expected, update);
    afterWrite(dies);
    return set;
  }

  @Override
  public boolean replaceCells(Family family, Row observed, List<Cell> replacement) {
    boolean dies = beforeWrite();
    boolean replaced = super.replaceCells(family, observed, replacement);
    afterWrite(dies);
    return replaced;
  }

  /** The store behind stays open. */
  @Override
  public void close() {}
}
