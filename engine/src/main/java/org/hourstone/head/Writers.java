package org.hourstone.head;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import org.hourstone.internal.Backoff;
import org.hourstone.internal.Retry;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;

/**
 * The writers of a database on a shared store, as every process finds them there, also one that has
 * no journal. Thread-safe.
 */
public final class Writers {
  private static final System.Logger LOG = System.getLogger("org.hourstone.head");

  /** How old points of a journal are before that is logged, and how often it is. */
  private static final Duration OLD = Duration.ofHours(2);

  private static final Duration BETWEEN_LOGS = Duration.ofMinutes(10);

  private final KeyValueStore store;
  private final Family journal;
  private final InstantSource clock;
  private final WriterTable table;
  private final AtomicLong logAgain = new AtomicLong(Long.MIN_VALUE);

  /** Whether the journal's table was there once. */
  private volatile boolean exists;

  private volatile long corrupt;

  /** How many journals could not be read when they were to be taken over. */
  private volatile int unreadable;

  /**
   * @param points the data table's family
   * @param journal need not exist
   */
  public Writers(
      KeyValueStore store, Family points, Family journal, Backoff backoff, InstantSource clock) {
    this.store = store;
    this.journal = journal;
    this.clock = clock;
    this.table = new WriterTable(store, journal, points.table(), new Retry(1, backoff));
  }

  /** All of them, those without a state have a corrupt one. */
  Map<String, Optional<WriterState>> all() {
    exists = exists || store.families().contains(journal);
    Map<String, Optional<WriterState>> all = exists ? table.all() : Map.of();
    corrupt = all.values().stream().filter(Optional::isEmpty).count();
    return all;
  }

  /** How many have a corrupt state or journal, as far as this process has read them. */
  public long corrupt() {
    return corrupt + unreadable;
  }

  void unreadable(int journals) {
    unreadable = journals;
  }

  /**
   * Those whose journals may have points that are not written yet, and those whose state is
   * corrupt.
   *
   * @throws org.hourstone.kv.StoreException if they can't be read
   */
  public List<String> open() {
    return all().entrySet().stream().filter(Writers::isOpen).map(Map.Entry::getKey).toList();
  }

  private static boolean isOpen(Map.Entry<String, Optional<WriterState>> writer) {
    return writer.getValue().map(WriterState::isOpen).orElse(true);
  }

  /**
   * A time up to which the points of their journals are in the data table: all cells that they are
   * going to write are dated later. It is logged if that is long ago.
   *
   * @return {@link Long#MAX_VALUE} if all journals are closed; empty if there never was one
   * @throws org.hourstone.kv.StoreException if they can't be read
   */
  public OptionalLong sealedUntil() {
    Map<String, Optional<WriterState>> all = all();
    long earliest = Long.MAX_VALUE;
    String oldest = "";
    boolean isCorrupt = false;
    for (Map.Entry<String, Optional<WriterState>> writer : all.entrySet()) {
      long time = writer.getValue().map(WriterState::time).orElse(0L);
      if (isOpen(writer) && time < earliest) {
        earliest = time;
        oldest = writer.getKey();
        isCorrupt = writer.getValue().isEmpty();
      }
    }
    if (earliest < clock.millis() - OLD.toMillis()) {
      warn(
          oldest,
          isCorrupt
              ? "an unknown time, as its state is corrupt"
              : Instant.ofEpochMilli(earliest).toString());
    }
    return all.isEmpty() ? OptionalLong.empty() : OptionalLong.of(earliest);
  }

  private void warn(String writer, String state) {
    long now = clock.millis();
    long next = logAgain.get();
    if (now >= next && logAgain.compareAndSet(next, now + BETWEEN_LOGS.toMillis())) {
      LOG.log(
          Level.WARNING,
          "table {0}: rows with newer cells are not compacted: the journal of the writer {1} is"
              + " written to its rows until {2}; start that writer, or let another one take it"
              + " over, as the command writers --take-over does",
          journal.table(),
          writer,
          state);
    }
  }
}
