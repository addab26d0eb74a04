package org.hourstone.uid;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.hourstone.internal.CellEditor;
import org.hourstone.kv.Family;

/**
 * Assigns UIDs so that no name ever gets two and no UID two names, whatever processes do so at once
 * and wherever one of them dies. The order of the three steps is what guarantees it:
 *
 * <ol>
 *   <li>take a number nobody had: atomic increment of the kind's counter, or at random;
 *   <li>claim it: UID to name, expecting absent;
 *   <li>publish it: name to UID, expecting absent. Whoever is first wins; a loser's number stays
 *       unused.
 * </ol>
 *
 * <p>A crash between steps leaves a number unused, never a name without its reverse. After a
 * compare-and-set of unknown outcome the cell is read back and the number in hand is kept; only an
 * increment of unknown outcome is followed by another number.
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
   * Assigns a UID to a name that had none when looked up.
   *
   * @param width bytes of the UID
   * @return the name's UID, which may be another process's choice
   */
  byte[] allocate(UidKind kind, String name, int width, NumberSource numbers) {
    byte[] nameBytes = name.getBytes(StandardCharsets.ISO_8859_1);
    byte[] qualifier = kind.qualifierBytes();
    for (int attempt = 0; attempt < numbers.attempts(); attempt++) {
      byte[] uid = numbers.next(kind, width);
      byte[] holder = cells.setIfAbsent(reverse, uid, qualifier, nameBytes);
      if (Arrays.equals(holder, nameBytes)) {
        return cells.setIfAbsent(forward, nameBytes, qualifier, uid);
      }
    }
    throw new UidAssignmentException(numbers.exhausted(kind, name));
  }
}
