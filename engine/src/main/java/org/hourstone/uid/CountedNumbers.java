package org.hourstone.uid;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.LongStream;
import org.hourstone.internal.CellEditor;
import org.hourstone.kv.Family;
import org.hourstone.kv.Limits;
import org.jspecify.annotations.Nullable;

/**
 * Numbers from a counter that all processes share: each number is handed out once. Those that are
 * given back are handed out again by this process, so that a store which counts but can't be
 * written does not use all numbers up.
 */
final class CountedNumbers implements NumberSource {
  /** The row of the counters, in the family of the forward map. */
  private static final byte[] COUNTER_ROW = {0};

  /**
   * More than one attempt is needed only if the counter is behind, such as after an old one was
   * restored.
   */
  private static final int ATTEMPTS = 100;

  /** The most numbers of a kind that are kept to be handed out again. */
  private static final int MOST_UNUSED = Limits.ROWS_PER_BATCH;

  private final CellEditor cells;
  private final Family forward;
  private final boolean exhaustionMovesCounter;

  /** For each kind, the highest counter value read so far. */
  private final Map<UidKind, Long> seen = new ConcurrentHashMap<>();

  /** Those that were given back. Guarded by itself. */
  private final Map<UidKind, Deque<byte[]>> unused = new EnumMap<>(UidKind.class);

  /**
   * @param exhaustionMovesCounter whether the counter moves even if no number is left
   */
  CountedNumbers(CellEditor cells, Family forward, boolean exhaustionMovesCounter) {
    this.cells = cells;
    this.forward = forward;
    this.exhaustionMovesCounter = exhaustionMovesCounter;
  }

  @Override
  public List<byte[]> next(UidKind kind, int width, int count) {
    List<byte[]> numbers = unused(kind, count);
    if (numbers.size() < count) {
      try {
        numbers.addAll(counted(kind, width, count - numbers.size()));
      } catch (RuntimeException e) {
        if (numbers.isEmpty()) {
          throw e;
        } // these are tried first; what is wrong is found again if more are needed
      }
    }
    return numbers;
  }

  private List<byte[]> unused(UidKind kind, int most) {
    List<byte[]> numbers = new ArrayList<>();
    synchronized (unused) {
      Deque<byte[]> ofKind = unused.getOrDefault(kind, new ArrayDeque<>());
      while (numbers.size() < most && !ofKind.isEmpty()) {
        numbers.add(ofKind.poll());
      }
    }
    return numbers;
  }

  @Override
  public void giveBack(UidKind kind, List<byte[]> numbers) {
    synchronized (unused) {
      Deque<byte[]> ofKind = unused.computeIfAbsent(kind, none -> new ArrayDeque<>());
      numbers.stream().limit(MOST_UNUSED - ofKind.size()).forEach(ofKind::add);
    }
  }

  private List<byte[]> counted(UidKind kind, int width, int count) {
    long maximum = NumberSource.maximum(width);
    int taken = exhaustionMovesCounter ? count : (int) Math.min(count, left(kind, width));
    long last = cells.increment(forward, COUNTER_ROW, kind.qualifierBytes(), taken);
    seen.merge(kind, last, Math::max);
    long first = last - taken + 1;
    if (first <= 0) {
      throw new UidAssignmentException(
          "the counter of " + kind.qualifier() + " is not positive: " + last);
    }
    if (first > maximum) {
      throw noneLeft(kind, width);
    }
    return LongStream.rangeClosed(first, Math.min(last, maximum))
        .mapToObj(id -> bytes(id, width))
        .toList();
  }

  /**
   * The number of unused numbers, so that the counter is not incremented beyond the last one. It is
   * read from the store only if the counter may be in the upper half of its range; below that,
   * enough are left.
   */
  private long left(UidKind kind, int width) {
    long maximum = NumberSource.maximum(width);
    Long known = seen.get(kind);
    long last = known == null || known > maximum / 2 ? last(kind) : known;
    long left = maximum - Math.max(0, last);
    if (left <= 0) {
      throw noneLeft(kind, width);
    }
    return left;
  }

  private static byte[] bytes(long id, int width) {
    byte[] wide = ByteBuffer.allocate(Long.BYTES).putLong(id).array();
    return Arrays.copyOfRange(wide, Long.BYTES - width, Long.BYTES);
  }

  /** The highest number handed out so far. */
  long last(UidKind kind) {
    byte[] counter = cells.read(forward, COUNTER_ROW, kind.qualifierBytes());
    if (counter != null && counter.length != Long.BYTES) {
      throw new UidAssignmentException(
          "the counter of " + kind.qualifier() + " has " + counter.length + " bytes instead of 8");
    }
    long last = counter == null ? 0 : ByteBuffer.wrap(counter).getLong();
    seen.merge(kind, last, Math::max);
    return last;
  }

  /** The highest number handed out that was read so far; null if none was. */
  @Nullable Long lastSeen(UidKind kind) {
    return seen.get(kind);
  }

  @Override
  public int attempts() {
    return ATTEMPTS;
  }

  @Override
  public String exhausted(UidKind kind, String name) {
    return "no UID for "
        + kind.qualifier()
        + " '"
        + name
        + "': the "
        + ATTEMPTS
        + " numbers after the counter are all taken; the counter is behind, which uid fsck repairs";
  }

  private static UidAssignmentException noneLeft(UidKind kind, int width) {
    return new UidAssignmentException(
        "All Unique IDs for " + kind.qualifier() + " on " + width + " bytes are already assigned!");
  }
}
