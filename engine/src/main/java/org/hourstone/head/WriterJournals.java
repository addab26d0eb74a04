package org.hourstone.head;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.codec.RowKey;
import org.hourstone.head.WriterJournal.Loss;
import org.hourstone.head.WriterJournal.State;
import org.hourstone.kv.StoreClock;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * The journals of writers on a shared store, for an operator who ends those of dead writers. A
 * writer whose lease has not run out, by the store's clock, is refused: a state is dated when the
 * lease is renewed. For one thread.
 */
public final class WriterJournals {
  private static final System.Logger LOG = System.getLogger("org.hourstone.head");

  private final Writers writers;
  private final WriterTable table;
  private final Takeover takeover;
  private final StoreClock storeClock;
  private final InstantSource clock;
  private final RowKey keys;
  private final long mostBytes;
  private final long token;
  private final Duration lease;

  /**
   * @param mostBytes of memory for the rows of a journal at a time
   * @param token that no other process has
   * @param lease of writers whose state does not say it
   */
  WriterJournals(
      Writers writers,
      WriterTable table,
      Takeover takeover,
      InstantSource clock,
      RowKey keys,
      long mostBytes,
      long token,
      Duration lease) {
    this.writers = writers;
    this.table = table;
    this.takeover = takeover;
    this.clock = clock;
    this.storeClock =
        table.store().extension(StoreClock.class).orElse((of, row, time) -> clock.millis() > time);
    this.keys = keys;
    this.mostBytes = mostBytes;
    this.token = token;
    this.lease = lease;
  }

  /**
   * All writers, by name.
   *
   * @throws StoreException if they can't be read
   */
  public List<WriterJournal> all() {
    List<WriterJournal> all = new ArrayList<>();
    for (Map.Entry<String, Optional<WriterState>> each : writers.all().entrySet()) {
      String name = each.getKey();
      WriterState state = each.getValue().orElse(null);
      long renewed = table.changedAt(name);
      RecordCount count = log(name, state).count();
      all.add(
          new WriterJournal(
              name,
              state == null ? State.CORRUPT : state.isOpen() ? State.OPEN : State.CLOSED,
              state == null ? 0 : state.epoch(),
              renewed,
              leaseEnd(renewed, each.getValue()),
              state == null ? 0 : state.time(),
              count.records(),
              count.bytes()));
    }
    return all;
  }

  /** That of the newest epoch, if the state does not name it. */
  private WriterLog log(String writer, @Nullable WriterState state) {
    WriterLog any = table.log(writer, state == null ? 0 : state.epoch());
    return state == null ? table.log(writer, any.newestEpoch()) : any;
  }

  /**
   * Takes over the journal of a writer: its process, if it is paused, acknowledges nothing more,
   * and all points are written to their rows. If its state is corrupt, it is derived from the
   * journal.
   *
   * @return how many rows were written
   * @throws StoreException REJECTED if there is no such writer, if its journal is closed, or its
   *     lease has not run out; otherwise it may be repeated
   * @throws CorruptDataException if the journal can't be read; its records are as before
   */
  public long takeOver(String writer) {
    Optional<WriterState> state = expired(writer);
    long before = takeover.rows();
    if (!takeover.take(writer, state.orElseGet(() -> derive(writer)))) {
      throw refused(writer, "another process has begun to take it over, or its writer has started");
    }
    return takeover.rows() - before;
  }

  /** Replaces a corrupt state by one in which the newest log is open. */
  private WriterState derive(String writer) {
    long epoch = table.log(writer, 0).newestEpoch();
    WriterState derived = WriterState.derived(epoch, token, table.changedAt(writer));
    if (!table.replaceCorrupt(writer, derived)) {
      throw refused(writer, "its state was changed just now");
    }
    return derived;
  }

  /**
   * Deletes a journal that can't be read, with the points that are only there. A corrupt state is
   * replaced.
   *
   * @param isDone whether it is done; else only what would be lost is counted
   * @throws StoreException REJECTED as by {@link #takeOver}, and if the journal can be read
   */
  public Loss delete(String writer, boolean isDone) {
    Optional<WriterState> state = expired(writer);
    if (isReadable(log(writer, state.orElse(null)))) {
      throw refused(writer, "its journal can be read, so it is taken over without a loss");
    }
    if (!isDone) {
      return loss(log(writer, state.orElse(null)).count());
    }
    WriterState from = state.orElseGet(() -> derive(writer));
    WriterState mine = from.renewed(token);
    if (!table.change(writer, from, mine)) {
      throw refused(writer, "its state was changed just now");
    }
    // The time of a record may be what can't be read: all are dated before this, by the same clock.
    long changed = table.changedAt(writer);
    WriterLog log = log(writer, mine);
    long unused = log.fence(table.retry());
    if (isReadable(log)) { // its writer was alive, and had deleted records while they were read
      throw refused(writer, "its journal can be read now, so it is taken over without a loss");
    }
    Loss loss = loss(log.count());
    if (!table.change(writer, mine, mine.withLoss(changed).closed(token, changed))) {
      throw refused(writer, "its state was changed just now");
    }
    log.delete();
    LOG.log(Level.WARNING, "the journal of the writer {0} was deleted: {1}", writer, loss);
    return loss;
  }

  private static Loss loss(RecordCount count) {
    return new Loss(
        count.records(), count.unreadable(), count.missing(), count.bytes(), count.points());
  }

  private boolean isReadable(WriterLog log) {
    long last = log.last();
    try {
      for (long from = 0; from < Long.MAX_VALUE; ) {
        Replay replay = new Replay(keys, clock, from, mostBytes);
        log.replay(last, replay::read);
        var unused = replay.rows();
        from = replay.end();
      }
      return true;
    } catch (CorruptDataException e) {
      return false;
    }
  }

  /** The state of a writer that may be ended; empty if it is corrupt. */
  private Optional<WriterState> expired(String writer) {
    Optional<WriterState> state = writers.all().get(writer);
    if (state == null) {
      throw refused(writer, "there is no such writer");
    }
    if (state.isPresent() && !state.get().isOpen()) {
      throw refused(writer, "its journal is closed: all of its points are in the data table");
    }
    long end = leaseEnd(table.changedAt(writer), state);
    if (!storeClock.isPast(table.family(), table.key(writer), end)) {
      throw refused(
          writer, "its lease runs until " + Instant.ofEpochMilli(end) + " by the store's clock");
    }
    return state;
  }

  private long leaseEnd(long renewed, Optional<WriterState> state) {
    return renewed + state.map(each -> each.lease(lease)).orElse(lease).toMillis();
  }

  private static StoreException refused(String writer, String why) {
    return new StoreException(Outcome.REJECTED, "the writer " + writer + ": " + why);
  }
}
