package org.hourstone.uid;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.hourstone.error.RequestException;
import org.hourstone.internal.CellEditor;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Family;
import org.hourstone.kv.StoreException;
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
 * After a compare-and-set of unknown outcome the cell is read back and the number is kept. Another
 * number is taken after an increment of unknown outcome, or if the name was deleted or renamed
 * while the outcome of publishing it was unknown. Deleting and renaming remove the assignment
 * before the published entry. So if a name is absent but its number is still assigned to it, it was
 * not published yet.
 */
final class UidAllocator {
  private final CellEditor cells;
  private final Family forward;
  private final Family reverse;

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
   * @throws UidAssignmentException if no number is left for a name; the names before it have their
   *     UIDs
   */
  void allocate(
      UidKind kind,
      List<String> names,
      int width,
      NumberSource source,
      BiConsumer<String, byte[]> assigned) {
    byte[] qualifier = kind.qualifierBytes();
    Map<String, byte[]> settled =
        names.size() > 1 ? allocateTogether(kind, names, width, source) : Map.of();
    Iterator<byte[]> numbers = Collections.emptyIterator();
    for (int i = 0; i < names.size(); i++) {
      byte[] name = names.get(i).getBytes(StandardCharsets.ISO_8859_1);
      byte @Nullable [] uid = settled.get(names.get(i));
      for (int attempt = 0; uid == null; attempt++) {
        if (attempt == source.attempts()) {
          throw new UidAssignmentException(source.exhausted(kind, names.get(i)));
        }
        if (!numbers.hasNext()) {
          numbers = source.next(kind, width, names.size() - i).iterator();
        }
        byte[] number = numbers.next();
        if (Arrays.equals(cells.setIfAbsent(reverse, number, qualifier, name).value(), name)) {
          uid = publish(name, qualifier, number);
        }
      }
      assigned.accept(names.get(i), uid);
    }
  }

  /**
   * Takes each step for all names. After a failure the numbers are left unused, as after a crash:
   * if a name was published, its next number finds that.
   *
   * @return the UIDs of those names that have theirs
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
    try {
      // Names get ascending numbers, also if some are assigned since the counter is behind.
      List<byte[]> numbers = cells.without(reverse, taken, qualifier);
      List<byte[]> stored =
          names.stream()
              .limit(numbers.size())
              .map(name -> name.getBytes(StandardCharsets.ISO_8859_1))
              .toList();
      List<Boolean> free = cells.createAll(reverse, numbers, qualifier, stored);
      for (int i = 0; i < free.size(); i++) {
        if (free.get(i)) {
          assigned.add(numbers.get(i));
          published.add(stored.get(i));
        }
      }
      List<Boolean> ours = cells.createAll(forward, published, qualifier, assigned);
      for (int i = 0; i < ours.size(); i++) {
        byte[] name = published.get(i);
        byte[] uid = ours.get(i) ? assigned.get(i) : publish(name, qualifier, assigned.get(i));
        if (uid != null) {
          settled.put(new String(name, StandardCharsets.ISO_8859_1), uid);
        }
      }
    } catch (StoreException | RequestException e) {
      // Thrown again for the name that it concerns, unless the next attempt succeeds.
    }
    return settled;
  }

  /**
   * Publishes an assigned UID.
   *
   * @return the name's UID; null if this UID may have been published and was removed from the name
   *     since
   */
  private byte @Nullable [] publish(byte[] name, byte[] qualifier, byte[] number) {
    CellEditor.Settled published =
        cells.setIfAbsent(
            forward, name, qualifier, number, () -> isAssigned(number, qualifier, name));
    boolean ours = Arrays.equals(published.value(), number);
    if (ours && published.doubted() && !isAssigned(number, qualifier, name)) {
      cells.change(forward, name, qualifier, number, null);
      return null;
    }
    return published.value();
  }

  private boolean isAssigned(byte[] number, byte[] qualifier, byte[] name) {
    return Arrays.equals(cells.read(reverse, number, qualifier), name);
  }
}
