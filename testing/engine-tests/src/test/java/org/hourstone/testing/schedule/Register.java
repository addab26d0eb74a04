package org.hourstone.testing.schedule;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What may be read of one thing, such as a point, after operations some of which overlapped: what
 * an operation has set that no acknowledged one began after.
 *
 * @param <V> what it is set to
 */
final class Register<V> {
  /** How an operation sets it. */
  enum Rank {
    /** The usual way. */
    NORMAL,
    /** As of an earlier time: whatever was set normally, and not removed again, is newer. */
    EARLIER
  }

  private record Event<V>(Operation by, @Nullable V value, boolean whatever, Rank rank) {
    boolean isRemoval() {
      return value == null && !whatever;
    }

    /** Whether it is why another one can't be seen any more. */
    boolean hides(Event<V> other) {
      return by.acknowledged && other.by.isBefore(by) && (rank == Rank.NORMAL || other.isRemoval());
    }
  }

  private final List<Event<V>> events = new ArrayList<>();

  /**
   * @param value null if it is removed
   */
  void set(Operation by, @Nullable V value, Rank rank) {
    events.add(new Event<>(by, value, false, rank));
  }

  void set(Operation by, @Nullable V value) {
    set(by, value, Rank.NORMAL);
  }

  /** It is set to something that the operation would have told, had it been acknowledged. */
  void setToSomething(Operation by) {
    events.add(new Event<>(by, null, true, Rank.NORMAL));
  }

  /** Whether this, or null for nothing, may be read. */
  boolean allows(@Nullable V seen) {
    for (Event<V> event : events) {
      boolean matches = event.whatever ? seen != null : Objects.equals(event.value, seen);
      if (matches
          && events.stream().noneMatch(other -> other.hides(event))
          && (event.rank == Rank.NORMAL || noneNewer())) {
        return true;
      }
    }
    return false;
  }

  /** Whether nothing acknowledged is there that was set normally. */
  private boolean noneNewer() {
    return events.stream()
        .filter(event -> !event.isRemoval() && event.rank == Rank.NORMAL && event.by.acknowledged)
        .allMatch(
            event ->
                events.stream()
                    .anyMatch(removal -> removal.isRemoval() && !removal.by.isBefore(event.by)));
  }

  @Override
  public String toString() {
    return events.stream()
        .map(event -> (event.whatever ? "something" : event.value) + " by " + event.by)
        .toList()
        .toString();
  }
}
