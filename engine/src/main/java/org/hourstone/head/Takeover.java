package org.hourstone.head;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.hourstone.codec.CorruptDataException;

/**
 * Takes over the journals of writers that are not there any more: fences the log, reads it, and
 * seals its rows. Whatever interrupts this, and whoever repeats it or does it at the same time,
 * writes the same cells with the same times. For one thread at a time, except {@link #done}, {@link
 * #rows}, {@link #refused} and {@link #hidden}.
 *
 * @see WriterLog
 */
final class Takeover {
  private static final System.Logger LOG = System.getLogger("org.hourstone.head");

  /** Another process has closed the log. */
  static final long CLOSED = -1;

  private final WriterTable table;
  private final Writers writers;
  private final InstantSource clock;
  private final long token;

  /** Makes a head over the records of a log. */
  private final Function<Records, Head> heads;

  /** The last state of each other writer, and since when it is known. */
  private final Map<String, Seen> seen = new HashMap<>();

  /** Those whose state is corrupt, which was logged. */
  private final Set<String> corrupt = new HashSet<>();

  /**
   * The epochs of those whose journal can't be read. It is not tried again: that would begin the
   * lease again, for which an operator waits who deletes it.
   */
  private final Map<String, Long> unreadable = new HashMap<>();

  private final AtomicLong done = new AtomicLong();
  private final AtomicLong refused = new AtomicLong();
  private final AtomicLong hidden = new AtomicLong();
  private final AtomicLong sealed = new AtomicLong();
  private volatile WrittenRows written = WrittenRows.NONE;

  private record Seen(WriterState state, long since) {}

  /**
   * @param token that no other process has
   */
  Takeover(
      WriterTable table,
      Writers writers,
      InstantSource clock,
      long token,
      Function<Records, Head> heads) {
    this.table = table;
    this.writers = writers;
    this.clock = clock;
    this.token = token;
    this.heads = heads;
  }

  /**
   * Fences the log of a writer and seals its rows: in parts of as much memory as open rows may take
   * here, for each of which the log is read again.
   *
   * @param state which is open
   * @return the time of its last record, 0 if it has none; {@link #CLOSED} if another process has
   *     done it and has closed the log
   * @throws org.hourstone.kv.StoreException if rows can't be sealed; it may be repeated
   */
  long seal(String writer, WriterState state) {
    WriterLog log = table.log(writer, state.epoch());
    long last = log.fence(table.retry());
    long time = last == 0 ? 0 : log.time(last);
    long rows;
    try {
      rows =
          PartwiseSealing.seal(
              () -> heads.apply(new TakenRecords(log, last, () -> isOpen(writer, state.epoch()))),
              written,
              counts -> {
                refused.addAndGet(counts.refused());
                hidden.addAndGet(counts.hidden());
              });
    } catch (TakenRecords.ClosedException e) {
      return CLOSED;
    }
    sealed.addAndGet(rows);
    LOG.log(
        Level.INFO,
        "the journal of the writer {0} was taken over: {1} rows are written",
        writer,
        rows);
    return time;
  }

  /** This is notified of the rows that are sealed from now on. */
  void notifySealed(WrittenRows listener) {
    written = listener;
  }

  /** What is known of the leases of others counts for nothing. For the thread of takeovers. */
  void forgetLeases() {
    seen.clear();
  }

  /** How many journals of others it has sealed and closed. */
  long done() {
    return done.get();
  }

  /** How many rows of journals it has sealed. */
  long rows() {
    return sealed.get();
  }

  /** As {@link HeadStats#refused}, of the rows that it has sealed. */
  long refused() {
    return refused.get();
  }

  /** As {@link HeadStats#hidden}, of the rows that it has sealed. */
  long hidden() {
    return hidden.get();
  }

  private boolean isOpen(String writer, long epoch) {
    WriterState now = table.state(writer);
    return now != null && now.isOpen() && now.epoch() == epoch;
  }

  /**
   * Seals the rows of other writers whose lease was not renewed for its time, by this process's
   * clock.
   *
   * @param lease the least that they are left: states are read as often as this one needs, and more
   *     seldom than a shorter one is renewed
   * @throws RuntimeException if that fails for one; the others are sealed
   */
  void sealExpired(String own, Duration lease) {
    Map<String, Optional<WriterState>> all = look(lease);
    seen.keySet().retainAll(all.keySet());
    unreadable
        .entrySet()
        .removeIf(
            each ->
                all.getOrDefault(each.getKey(), Optional.empty())
                    .filter(state -> state.isOpen() && state.epoch() == each.getValue())
                    .isEmpty());
    RuntimeException failure = null;
    for (Map.Entry<String, Optional<WriterState>> each : all.entrySet()) {
      String writer = each.getKey();
      WriterState state = each.getValue().orElse(null);
      if (state == null) {
        leave(writer);
      } else if (state.isOpen()
          && !writer.equals(own)
          && !unreadable.containsKey(writer)
          && hasExpired(writer, state, lease)) {
        try {
          var unused = take(writer, state);
        } catch (CorruptDataException e) {
          unreadable.put(writer, state.epoch());
          LOG.log(
              Level.WARNING,
              "table {0}: the journal of the writer {1} can't be read: it is not taken over",
              table.family().table(),
              writer);
          failure = e;
        } catch (RuntimeException e) {
          failure = e;
        }
      }
    }
    writers.unreadable(unreadable.size());
    if (failure != null) {
      throw failure;
    }
  }

  /** One whose state is corrupt can't be taken over; the others can. */
  private void leave(String writer) {
    if (corrupt.add(writer)) {
      LOG.log(
          Level.WARNING,
          "table {0}: the state of the writer {1} is corrupt: its journal is not taken over",
          table.family().table(),
          writer);
    }
  }

  /**
   * The states of all writers. What was known before counts for nothing if the store did not answer
   * for a while: then no one could renew a lease.
   */
  private Map<String, Optional<WriterState>> look(Duration lease) {
    long begun = clock.millis();
    boolean isPrompt = false;
    try {
      Map<String, Optional<WriterState>> all = writers.all();
      isPrompt = clock.millis() - begun < lease.toMillis() / 4;
      return all;
    } finally {
      if (!isPrompt) {
        seen.clear();
      }
    }
  }

  private boolean hasExpired(String writer, WriterState state, Duration lease) {
    long now = clock.millis();
    Seen known = seen.get(writer);
    if (known == null || !known.state.equals(state) || now < known.since) {
      seen.put(writer, new Seen(state, now));
      return false;
    }
    return now - known.since >= Math.max(lease.toMillis(), state.lease(lease).toMillis());
  }

  /**
   * Takes over a journal. The lease begins again first, so that others leave it to this process.
   *
   * @param state the last one that is known
   * @return whether its rows are sealed, and it is closed; false if another process has changed its
   *     state
   */
  boolean take(String writer, WriterState state) {
    WriterState mine = state.renewed(token);
    if (!table.change(writer, state, mine)) {
      return false;
    }
    seen.put(writer, new Seen(mine, clock.millis()));
    long time = seal(writer, mine);
    boolean closed = time != CLOSED && close(writer, mine.epoch(), time);
    if (closed) {
      done.incrementAndGet();
      table.log(writer, mine.epoch()).delete();
    }
    return closed;
  }

  /**
   * Closes a log of which all is sealed, also if others have begun to take it over since: what
   * takes longer than a lease would never be completed otherwise.
   */
  private boolean close(String writer, long epoch, long time) {
    while (true) {
      WriterState now = table.state(writer);
      if (now == null || !now.isOpen() || now.epoch() != epoch) {
        return false;
      }
      if (table.change(writer, now, now.closed(token, time))) {
        return true;
      }
    }
  }
}
