package org.hourstone.head;

import java.lang.System.Logger.Level;
import java.time.InstantSource;
import java.util.Objects;
import org.hourstone.internal.Retry;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * The records of a writer to a shared store, in a {@link WriterLog} of its own. They are ordered:
 * each says which one is needed, so that the last one, which is not deleted before the log is
 * closed, says it for all. Once another process has fenced the log, or has the lease, no record is
 * stored.
 */
final class WriterRecords implements Records {
  private static final System.Logger LOG = System.getLogger("org.hourstone.head");

  private final WriterTable table;
  private final WriterOptions options;
  private final String name;
  private final long token;
  private final Takeover takeover;
  private final InstantSource clock;

  /** Null before {@link #begin}. */
  private volatile @Nullable WriterLog log;

  /** As this process has set it. Guarded by this. */
  private @Nullable WriterState state;

  /** To which it was changed, perhaps: the outcome is unknown. Guarded by this. */
  private @Nullable WriterState renewing;

  private volatile @Nullable String lost;

  /** What is known of the last record; changed by one thread at a time. */
  private volatile Last last = new Last(0, 0, 0);

  /** The time of the last record, also of one that was given up. By the thread that puts. */
  private volatile long issued;

  /**
   * By how many milliseconds the store's clock was ahead of this process's when the lease was last
   * renewed; 0 if it was not. What the store deletes is dated by its clock: a record that was
   * accepted later must be dated later.
   */
  private volatile long behind;

  /** When the state was changed last, by the store's clock. */
  private volatile long changed;

  /** When the last renewal of the lease has begun that has succeeded. */
  private volatile long renewed;

  /**
   * @param number of the last place that is not free
   * @param needed the first record that is needed, as the last one says
   * @param time of the last record
   */
  private record Last(long number, long needed, long time) {}

  /**
   * @param token that no other process has
   */
  WriterRecords(
      WriterTable table,
      WriterOptions options,
      long token,
      Takeover takeover,
      InstantSource clock) {
    this.table = table;
    this.options = options;
    this.name = options.name();
    this.token = token;
    this.takeover = takeover;
    this.clock = clock;
  }

  /** This is notified of the rows of journals that are sealed from now on. */
  void notifySealed(WrittenRows listener) {
    takeover.notifySealed(listener);
  }

  /**
   * Seals what is left of this writer's last process, which can acknowledge nothing from then on,
   * and begins an epoch.
   */
  @Override
  public synchronized void begin() {
    long epoch = 0; // which is sealed
    long sealed = 0;
    while (true) {
      WriterState before = table.state(name);
      long time = before == null ? 0 : before.time();
      if (before != null && before.isOpen()) {
        if (before.epoch() != epoch) {
          sealed = takeover.seal(name, before);
          if (sealed == Takeover.CLOSED) {
            continue; // another process has sealed it
          }
          epoch = before.epoch();
        }
        time = Math.max(time, sealed);
      }
      WriterState next = WriterState.next(before, token, time, options.lease());
      if (change(before, next)) {
        // Others that have not read the state yet know that it is dated later than their reading.
        time = Math.max(time, changed);
        last = new Last(0, 0, time);
        issued = time;
        log = table.log(name, next.epoch());
        table.log(name, next.epoch() - 1).delete();
        return;
      }
    }
  }

  /** Changes the state, which begins the lease again; returns whether it was as expected. */
  private synchronized boolean change(@Nullable WriterState from, WriterState to) {
    long begun = clock.millis();
    if (!table.change(name, from, to)) {
      return false;
    }
    state = to;
    renewing = null;
    renewed = begun;
    changed = table.changedAt(name);
    behind = Math.max(0, changed - clock.millis());
    return true;
  }

  private WriterLog log() {
    return Objects.requireNonNull(log, "not begun");
  }

  /** The log of an epoch begins without records. */
  @Override
  public long replay(Journal.Replay replay) {
    return 1;
  }

  @Override
  public void clean() {
    // Nothing was left.
  }

  @Override
  public boolean areOrdered() {
    return true;
  }

  @Override
  public long put(long number, long needed, byte[] value, Retry retry) {
    // Another time for each record, whatever the clock: rows are dated by it.
    long time = Math.max(clock.millis() + behind, issued + 1);
    issued = time;
    byte[] framed = WriterLog.framed(needed, time, value);
    for (long place = Math.max(number, last.number + 1); lost == null; place++) {
      byte[] present = log().create(place, framed, retry);
      if (present == null) {
        last = new Last(place, needed, time);
        return place;
      }
      if (WriterLog.isFence(present)) {
        lose("its log is fenced");
        break;
      }
      last = new Last(place, last.needed, last.time); // it has one that was given up
    }
    throw new StoreException(Outcome.REJECTED, String.valueOf(lost));
  }

  private void lose(String why) {
    lost =
        "another process has taken over the journal of the writer "
            + name
            + ", and this one acknowledges no points until it is started again: "
            + why;
    LOG.log(Level.ERROR, lost);
  }

  @Override
  public long time() {
    return last.time;
  }

  /**
   * To when the store has changed the state last, since its clock is not set ahead by the process.
   */
  @Override
  public long skipToNow() {
    issued = Math.max(issued, changed);
    return issued;
  }

  /** What the last record says is needed; and the last one, which says it. */
  @Override
  public long mark(long needed) {
    Last now = last;
    return Math.min(needed, Math.min(now.needed, now.number));
  }

  @Override
  public byte[] key(long number) {
    return log().key(number);
  }

  @Override
  public @Nullable String lost() {
    return lost;
  }

  /**
   * Renews the lease.
   *
   * @param sealed a time up to which all is sealed
   */
  synchronized void renew(long sealed) {
    WriterState now = state;
    if (now == null || lost != null) {
      return;
    }
    WriterState next = renewing == null ? now.renewed(token, sealed) : renewing;
    renewing = next;
    if (!change(now, next)) {
      lose("its lease is another's");
    }
  }

  /**
   * Seals the rows of others whose lease has run out. If this process could not renew its own for a
   * while, the others could not, either.
   */
  void sealExpired() {
    if (clock.millis() - renewed <= options.lease().toMillis() / 2) {
      takeover.sealExpired(name, options.lease());
    } else {
      takeover.forgetLeases();
    }
  }

  /** How many journals of other writers were taken over. */
  long takeovers() {
    return takeover.done();
  }

  /** As {@link HeadStats#sealed}, of journals that were taken over. */
  long sealed() {
    return takeover.rows();
  }

  /** As {@link HeadStats#refused}, of journals that were taken over. */
  long refused() {
    return takeover.refused();
  }

  /** As {@link HeadStats#hidden}, of journals that were taken over. */
  long hidden() {
    return takeover.hidden();
  }

  @Override
  public synchronized void end() {
    WriterState now = state;
    WriterState perhaps = renewing;
    state = null;
    if (now != null && lost == null && (close(now) || (perhaps != null && close(perhaps)))) {
      log().delete();
    }
  }

  private boolean close(WriterState present) {
    return table.change(name, present, present.closed(token, issued));
  }
}
