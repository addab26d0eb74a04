package org.hourstone.testkit.store;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
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
import org.jspecify.annotations.Nullable;

/**
 * Checks the callers of a store: put it between the code under test and any store.
 *
 * <ul>
 *   <li>Bad arguments and use after close are refused here, as {@link IllegalArgumentException} and
 *       {@link IllegalStateException}, so that a lenient store does not hide them.
 *   <li>An error that stores don't notice is an {@link AssertionError}: an argument modified while
 *       the call runs, a returned array modified, a cursor read by two threads, a cursor that is
 *       still open when the store is closed.
 * </ul>
 *
 * <p>Returned arrays are checked some thousand rows later and in {@link #close}, which closes the
 * wrapped store before it throws. Thread-safe.
 */
public final class AssertingStore extends ForwardingStore {
  private final HandedOut handedOut = new HandedOut();

  /** Open cursors, and where they were opened. */
  private final Map<AutoCloseable, Throwable> open = new ConcurrentHashMap<>();

  private final boolean mayBeClosedInUse;
  private volatile boolean closed;

  public AssertingStore(KeyValueStore delegate) {
    this(delegate, false);
  }

  private AssertingStore(KeyValueStore delegate, boolean mayBeClosedInUse) {
    super(delegate);
    this.mayBeClosedInUse = mayBeClosedInUse;
  }

  /**
   * For callers that close the store while others still use it: cursors that are open then are not
   * an error.
   */
  public static AssertingStore closedInUse(KeyValueStore delegate) {
    return new AssertingStore(delegate, true);
  }

  @Override
  public List<Family> families() {
    checkOpen();
    return super.families();
  }

  @Override
  public void ensure(Collection<FamilySpec> families, SchemaMode mode) {
    checkOpen();
    super.ensure(families, mode);
  }

  @Override
  public Row get(Family family, byte[] row, Columns columns) {
    checkOpen();
    return watchedGet(family, row, columns);
  }

  @Override
  public List<Row> get(Family family, List<byte[]> rows, Columns columns) {
    checkOpen();
    return watchedGet(family, rows, columns);
  }

  @Override
  public RowCursor scan(Family family, Scan scan) {
    checkOpen();
    return new AssertingCursor(super.scan(family, scan));
  }

  private Row watchedGet(Family family, byte[] row, Columns columns) {
    Checks.row(row);
    HandedIn arguments = new HandedIn(row);
    Row found = super.get(family, row, columns);
    arguments.check();
    return handedOut.remember(found);
  }

  private List<Row> watchedGet(Family family, List<byte[]> rows, Columns columns) {
    Checks.rows(rows);
    HandedIn arguments = HandedIn.rows(rows);
    List<Row> found = super.get(family, rows, columns);
    arguments.check();
    found.forEach(handedOut::remember);
    return found;
  }

  @Override
  public void mutate(Family family, List<RowMutation> batch) {
    checkOpen();
    Checks.batch(batch);
    HandedIn arguments = HandedIn.batch(batch);
    super.mutate(family, batch);
    arguments.check();
  }

  @Override
  public long increment(Family family, byte[] row, byte[] qualifier, long delta) {
    checkOpen();
    Checks.increment(row, qualifier);
    HandedIn arguments = new HandedIn(row, qualifier);
    long sum = super.increment(family, row, qualifier, delta);
    arguments.check();
    return sum;
  }

  @Override
  public boolean compareAndSet(
      Family family,
      byte[] row,
      byte[] qualifier,
      byte @Nullable [] expected,
      byte @Nullable [] update) {
    checkOpen();
    Checks.compareAndSet(row, qualifier, expected, update);
    HandedIn arguments = new HandedIn(row, qualifier).with(expected).with(update);
    boolean set = super.compareAndSet(family, row, qualifier, expected, update);
    arguments.check();
    return set;
  }

  @Override
  public boolean replaceCells(Family family, Row observed, List<Cell> replacement) {
    checkOpen();
    Checks.replaceCells(observed, replacement);
    HandedIn arguments = HandedIn.replacement(observed, replacement);
    boolean replaced = super.replaceCells(family, observed, replacement);
    arguments.check();
    return replaced;
  }

  /**
   * @throws AssertionError if a cursor is still open, or a returned array has been modified
   */
  @Override
  public void close() {
    closed = true;
    super.close();
    handedOut.checkAll();
    if (!open.isEmpty() && !mayBeClosedInUse) {
      Throwable opened = open.values().iterator().next();
      int count = open.size();
      open.clear();
      throw new AssertionError(count + " cursors were left open, one from", opened);
    }
  }

  private void checkOpen() {
    if (closed) {
      throw new IllegalStateException("the store is closed");
    }
  }

  private final class AssertingCursor implements RowCursor {
    private final RowCursor cursor;
    private volatile @Nullable Thread reader;

    AssertingCursor(RowCursor cursor) {
      this.cursor = cursor;
      open.put(this, new Throwable("opened here"));
    }

    @Override
    public @Nullable Row next() {
      Thread current = Thread.currentThread();
      Thread first = reader;
      if (first == null) {
        reader = current;
      } else if (first != current) {
        throw new AssertionError(
            "a cursor read by " + first.getName() + " is also read by " + current.getName());
      }
      Row row = cursor.next();
      return row == null ? null : handedOut.remember(row);
    }

    @Override
    public void close() {
      open.remove(this);
      cursor.close();
    }
  }
}
