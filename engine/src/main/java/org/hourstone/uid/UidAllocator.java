package org.hourstone.uid;

import com.google.common.collect.Lists;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.hourstone.error.RequestException;
import org.hourstone.internal.CellEditor;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Family;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.hourstone.uid.BegunUids.Begun;
import org.hourstone.uid.BegunUids.Unfinished;
import org.jspecify.annotations.Nullable;

/**
 * Assigns UIDs so that no name ever gets two UIDs and no UID two names, even if several processes
 * assign concurrently and one dies at any step. The order of the three steps guarantees it:
 *
 * <ol>
 *   <li>take an unused number: by an atomic increment of the kind's counter, or at random;
 *   <li>assign it: UID to name, expecting absent;
 *   <li>publish it: name to UID, expecting absent. The first process wins; a loser's number stays
 *       unused.
 * </ol>
 *
 * <p>A crash between steps leaves a number unused, but never a name without its reverse entry.
 * After a compare-and-set of unknown outcome the cell is read back and the number is kept; if the
 * store goes on failing, the next attempt for the name goes on with it. Another number is taken
 * after an increment of unknown outcome, or if the name was deleted or renamed while the outcome of
 * publishing it was unknown. Deleting and renaming remove the assignment before the published
 * entry. So if a name is absent but its number is still assigned to it, it was not published yet.
 */
final class UidAllocator {
  /** Names whose numbers are begun together, so that they are all known after a failure. */
  private static final int TOGETHER = BegunUids.MOST / 2;

  private final CellEditor cells;
  private final Family forward;
  private final Family reverse;
  private final BegunUids begun = new BegunUids();

  UidAllocator(CellEditor cells, Family forward, Family reverse) {
    this.cells = cells;
    this.forward = forward;
    this.reverse = reverse;
  }

  /**
   * Assigns UIDs to names that had none when they were looked up. Each step is taken for all of
   * them in one call; what fails then is settled name by name.
   *
   * @param names all different in their stored form
   * @param width bytes of a UID
   * @param assigned receives each name and its UID, which another process may have assigned
   * @throws UidAssignmentException if no number is left for a name; names that were passed on
   *     before have their UIDs
   */
  void allocate(
      UidKind kind,
      List<String> names,
      int width,
      NumberSource source,
      BiConsumer<String, byte[]> assigned) {
    for (List<String> some : Lists.partition(names, TOGETHER)) {
      allocateSome(kind, some, width, source, assigned);
    }
  }

  private void allocateSome(
      UidKind kind,
      List<String> names,
      int width,
      NumberSource source,
      BiConsumer<String, byte[]> assigned) {
    List<String> fresh = names.stream().filter(name -> !begun.has(kind, bytes(name))).toList();
    makeRoom(kind, fresh.size(), source, assigned);
    Map<String, byte[]> settled =
        fresh.size() > 1 ? allocateTogether(kind, fresh, width, source) : Map.of();
    settled.forEach(assigned);
    List<String> left = names.stream().filter(name -> !settled.containsKey(name)).toList();
    Deque<byte[]> numbers = new ArrayDeque<>();
    try {
      for (int i = 0; i < left.size(); i++) {
        byte[] name = bytes(left.get(i));
        byte @Nullable [] uid = goOn(kind, name);
        for (int attempt = 0; uid == null; attempt++) {
          if (attempt == source.attempts()) {
            throw new UidAssignmentException(source.exhausted(kind, left.get(i)));
          }
          if (numbers.isEmpty()) {
            numbers.addAll(source.next(kind, width, left.size() - i));
          }
          uid = begin(kind, name, numbers.remove(), source);
        }
        assigned.accept(left.get(i), uid);
      }
    } finally {
      source.giveBack(kind, List.copyOf(numbers));
    }
  }

  /**
   * Ends what was begun for other names if there is too much of it, so that each attempt for many
   * names does not begin numbers that the next one does not know any more.
   *
   * @throws StoreException if the store still fails: then no number is begun
   */
  private void makeRoom(
      UidKind kind, int names, NumberSource source, BiConsumer<String, byte[]> assigned) {
    while (begun.lacksRoom(kind, names)) {
      Unfinished eldest = begun.takeEldest(kind);
      if (eldest == null) {
        return;
      }
      try {
        end(kind, eldest.begun(), source, assigned);
      } catch (StoreException e) {
        begun.keep(kind, eldest);
        throw e;
      }
    }
  }

  /** Publishes a number under the name that it has; one that was never assigned is given back. */
  private void end(
      UidKind kind, Begun earlier, NumberSource source, BiConsumer<String, byte[]> assigned) {
    byte[] name = cells.read(reverse, earlier.number(), kind.qualifierBytes());
    if (name != null) {
      byte[] uid = publish(kind, name, earlier.number(), true);
      if (uid != null) {
        assigned.accept(text(name), uid);
      }
    } else if (!earlier.isAssigned()) {
      source.giveBack(kind, List.of(earlier.number()));
    }
  }

  /** Assigns an unused number and publishes it; null if it is the number of another name. */
  private byte @Nullable [] begin(UidKind kind, byte[] name, byte[] number, NumberSource source) {
    try {
      byte[] holder = cells.setIfAbsent(reverse, number, kind.qualifierBytes(), name).value();
      if (!Arrays.equals(holder, name)) {
        return null;
      }
    } catch (StoreException | RequestException e) {
      if (mayBeApplied(e)) {
        begun.keep(kind, name, new Begun(number, false));
      } else {
        source.giveBack(kind, List.of(number));
      }
      throw e;
    }
    return publish(kind, name, number, false);
  }

  private static boolean mayBeApplied(RuntimeException e) {
    return e instanceof StoreException failure && failure.outcome() == Outcome.UNKNOWN;
  }

  /** Publishes the number of an earlier attempt; null without one, or if the name has lost it. */
  private byte @Nullable [] goOn(UidKind kind, byte[] name) {
    Begun earlier = begun.take(kind, name);
    if (earlier == null) {
      return null;
    }
    byte[] number = earlier.number();
    byte[] qualifier = kind.qualifierBytes();
    byte[] holder;
    try {
      holder =
          earlier.isAssigned()
              ? cells.read(reverse, number, qualifier)
              : cells.setIfAbsent(reverse, number, qualifier, name).value();
    } catch (StoreException e) {
      begun.keep(kind, name, earlier);
      throw e;
    }
    return Arrays.equals(holder, name) ? publish(kind, name, number, true) : null;
  }

  /**
   * Takes each step for all names. After a failure, numbers that may be assigned to a name are kept
   * for it, and others given back.
   *
   * @return the UIDs of those names that have theirs; a name whose entry another process has set
   *     and removed since has none
   */
  private Map<String, byte[]> allocateTogether(
      UidKind kind, List<String> names, int width, NumberSource source) {
    byte[] qualifier = kind.qualifierBytes();
    List<byte[]> taken = source.next(kind, width, names.size());
    Map<String, byte[]> settled = new HashMap<>();
    if (taken.stream().map(Bytes::new).distinct().count() < taken.size()) {
      return settled; // at random some are the same
    }
    List<byte[]> assigned = new ArrayList<>();
    List<byte[]> published = new ArrayList<>();
    List<byte[]> numbers = taken;
    List<byte[]> stored = List.of();
    boolean isAssigned = false;
    try {
      // Names get ascending numbers, also if some are assigned since the counter is behind.
      numbers = cells.without(reverse, taken, qualifier);
      stored = names.stream().limit(numbers.size()).map(UidAllocator::bytes).toList();
      List<Boolean> free = cells.createAll(reverse, numbers, qualifier, stored);
      isAssigned = true;
      for (int i = 0; i < free.size(); i++) {
        if (free.get(i)) {
          assigned.add(numbers.get(i));
          published.add(stored.get(i));
        }
      }
      List<Boolean> ours = cells.createAll(forward, published, qualifier, assigned);
      List<byte[]> lost = new ArrayList<>();
      for (int i = 0; i < ours.size(); i++) {
        if (ours.get(i)) {
          settled.put(text(published.get(i)), assigned.get(i));
        } else {
          lost.add(published.get(i));
        }
      }
      // Other processes were first, as when a fleet's points begin to arrive at several.
      readPublished(lost, qualifier, settled);
    } catch (StoreException | RequestException e) {
      // Thrown again for the name that it concerns, unless the next attempt succeeds. Names that
      // were published nevertheless are passed on, whatever becomes of the others.
      if (isAssigned) {
        readPublishedIfPossible(published, qualifier, settled);
        for (int i = 0; i < published.size(); i++) {
          if (!settled.containsKey(text(published.get(i)))) {
            begun.keep(kind, published.get(i), new Begun(assigned.get(i), true));
          }
        }
      } else if (mayBeApplied(e)) {
        for (int i = 0; i < stored.size(); i++) {
          begun.keep(kind, stored.get(i), new Begun(numbers.get(i), false));
        }
      } else {
        source.giveBack(kind, numbers);
      }
    }
    return settled;
  }

  private void readPublished(List<byte[]> names, byte[] qualifier, Map<String, byte[]> settled) {
    List<byte @Nullable []> uids = cells.readAll(forward, names, qualifier);
    for (int i = 0; i < names.size(); i++) {
      byte[] uid = uids.get(i);
      if (uid != null) {
        settled.put(text(names.get(i)), uid);
      }
    }
  }

  private void readPublishedIfPossible(
      List<byte[]> names, byte[] qualifier, Map<String, byte[]> settled) {
    if (names.isEmpty()) {
      return;
    }
    try {
      readPublished(names, qualifier, settled);
    } catch (StoreException e) {
      // As before: each name is settled by itself.
    }
  }

  private static byte[] bytes(String name) {
    return name.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static String text(byte[] name) {
    return new String(name, StandardCharsets.ISO_8859_1);
  }

  /**
   * Publishes an assigned UID.
   *
   * @param isDoubted whether it may have been published before
   * @return the name's UID; null if this UID may have been published and was removed from the name
   *     since
   * @throws StoreException if the store fails: the next attempt for the name goes on with this UID
   */
  private byte @Nullable [] publish(UidKind kind, byte[] name, byte[] number, boolean isDoubted) {
    byte[] qualifier = kind.qualifierBytes();
    try {
      CellEditor.Settled published =
          cells.setIfAbsent(
              forward, name, qualifier, number, () -> isAssigned(number, qualifier, name));
      boolean ours = Arrays.equals(published.value(), number);
      if (ours && (isDoubted || published.doubted()) && !isAssigned(number, qualifier, name)) {
        cells.change(forward, name, qualifier, number, null);
        return null;
      }
      return published.value();
    } catch (StoreException e) {
      begun.keep(kind, name, new Begun(number, true));
      throw e;
    }
  }

  private boolean isAssigned(byte[] number, byte[] qualifier, byte[] name) {
    return Arrays.equals(cells.read(reverse, number, qualifier), name);
  }
}
