package org.hourstone.tool;

import java.util.Arrays;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Change;
import org.hourstone.kv.Family;
import org.hourstone.kv.Limits;
import org.hourstone.kv.Row;
import org.hourstone.tool.CopyOptions.Policy;

/**
 * The changes after which the target's row has the cells of the source's row, and the check that it
 * has them. Cells that only the target has are ignored and stay.
 */
final class RowMerge {
  private static final int SHOWN_BYTES = 32;

  /** The planned outcome for a cell of the source. */
  private enum Fate {
    /** It is put. */
    PUT,
    /** It replaces a cell that was written later, which must be removed first. */
    REPLACES,
    /** It is put if it is still absent: other clients may assign the same name or UID. */
    CLAIMED,
    /** The target has another name or UID in its place. */
    CONTRADICTS,
    /** The target already has it. */
    THERE,
    /** The target has the same value with another write time. */
    DATED,
    /** The target has another value, which stays because it was written later. */
    NEWER,
    /** The target has another value, which stays. */
    DIFFERS
  }

  private final CopyFamily family;
  private final Row source;
  private final Policy policy;

  /** Cells dated before this are older than any cell written since the target was read. */
  private final long surelyPast;

  /** The target as first read: a cell that has changed since stays. */
  private final Row first;

  /** The target as last read. */
  private Row target;

  /** The cells that this copy has written. */
  private final BitSet written = new BitSet();

  private final Fate[] fates;

  /** The number of cells with each fate. */
  private final Map<Fate, Integer> counts = new EnumMap<>(Fate.class);

  /**
   * @param target the same row in the target; may be empty
   * @param surelyPast the time before which cells of the source are older than any later write to
   *     the target
   */
  RowMerge(CopyFamily family, Row source, Row target, Policy policy, long surelyPast) {
    this.family = family;
    this.source = source;
    this.target = target;
    this.policy = policy;
    this.surelyPast = surelyPast;
    this.first = target;
    this.fates = new Fate[source.size()];
    decide();
  }

  /** Decides again after another client has changed the target's row. */
  void decide(Row changed) {
    target = changed;
    decide();
  }

  private void decide() {
    counts.clear();
    for (int i = 0; i < fates.length; i++) {
      fates[i] = fate(i);
      counts.merge(fates[i], 1, Integer::sum);
    }
  }

  private Fate fate(int i) {
    if (written.get(i)) {
      return Fate.PUT;
    }
    int at = target.indexOf(source.qualifier(i));
    boolean same = at >= 0 && Arrays.equals(source.value(i), target.value(at));
    if (isEntry(i)) {
      // Compare-and-set does not support empty values; only a faulty writer leaves one.
      Fate absent = source.value(i).length == 0 ? Fate.PUT : Fate.CLAIMED;
      return at < 0 ? absent : same ? Fate.THERE : Fate.CONTRADICTS;
    }
    if (at < 0) {
      return Fate.PUT;
    }
    int order = Long.compare(source.writeTime(i), target.writeTime(at));
    if (same && order == 0) {
      return Fate.THERE;
    }
    if (!same && hasChanged(at)) {
      return Fate.DIFFERS;
    }
    return switch (policy) {
      case REFUSE -> same ? Fate.DATED : Fate.DIFFERS;
      case UPDATE -> {
        Fate stays = order < 0 ? Fate.NEWER : Fate.DIFFERS;
        yield order > 0 ? Fate.PUT : same ? Fate.DATED : stays;
      }
      case OVERWRITE -> order > 0 ? Fate.PUT : Fate.REPLACES;
    };
  }

  /** Whether a cell of the target has changed since it was first read. */
  private boolean hasChanged(int at) {
    int before = first.indexOf(target.qualifier(at));
    return before < 0
        || first.writeTime(before) != target.writeTime(at)
        || !Arrays.equals(first.value(before), target.value(at));
  }

  /** Whether a cell maps a name to a UID or a UID to a name. */
  private boolean isEntry(int i) {
    return switch (family.holds()) {
      case NAMES, UIDS -> UidLayout.kindOf(source.qualifier(i)) != null;
      case SERIES, TREES, ROWS -> false;
    };
  }

  Row source() {
    return source;
  }

  /** Whether any cell must be written. */
  boolean changesAnything() {
    return count(Fate.PUT, Fate.REPLACES, Fate.CLAIMED, Fate.CONTRADICTS) > 0;
  }

  /**
   * The cells to put unless later ones are present.
   *
   * @throws CopyException if a store can't store a cell
   */
  List<Change> puts() {
    return Arrays.stream(cells(Fate.PUT))
        .filter(this::isPast)
        .mapToObj(i -> cell(i).put())
        .toList();
  }

  /** The cells to write only if the cells in their places are {@linkplain #observed unchanged}. */
  int[] replaced() {
    return Arrays.stream(cells(Fate.PUT, Fate.REPLACES))
        .filter(i -> (fates[i] == Fate.REPLACES || !isPast(i)) && !written.get(i))
        .toArray();
  }

  /** The cells that were read in the places of the cells to put. */
  Row observed(int[] cells) {
    return target.only(
        Arrays.stream(cells)
            .map(i -> target.indexOf(source.qualifier(i)))
            .filter(at -> at >= 0)
            .boxed()
            .toList());
  }

  /** Records that these cells are in the target now. */
  void wrote(int[] cells) {
    Arrays.stream(cells).forEach(written::set);
  }

  private boolean isPast(int i) {
    return source.writeTime(i) < surelyPast;
  }

  long bytes(int i) {
    return (long) source.key().length + source.qualifier(i).length + source.value(i).length;
  }

  /**
   * The indices, in the source's row, of the cells to assign, including those that can't be
   * assigned.
   */
  int[] claims() {
    return cells(Fate.CLAIMED, Fate.CONTRADICTS);
  }

  private int[] cells(Fate... wanted) {
    if (count(wanted) == 0) {
      return new int[0];
    }
    List<Fate> any = List.of(wanted);
    return IntStream.range(0, fates.length).filter(i -> any.contains(fates[i])).toArray();
  }

  private int count(Fate... wanted) {
    int count = 0;
    for (Fate fate : wanted) {
      count += counts.getOrDefault(fate, 0);
    }
    return count;
  }

  /**
   * @throws CopyException if a store can't store a cell
   */
  Cell cell(int i) {
    long time = source.writeTime(i);
    if (time < 0 || time > Change.MAX_WRITE_TIME) {
      throw new CopyException(
          place(family.from(), i) + " was written at " + time + ", which is not a plausible time");
    }
    if (source.qualifier(i).length > Limits.QUALIFIER
        || source.value(i).length > Limits.VALUE
        || bytes(i) > Limits.CELL) {
      throw new CopyException(
          place(family.from(), i) + " has " + bytes(i) + " bytes, more than a store takes");
    }
    return source.cell(i);
  }

  /**
   * Compares without having changed anything.
   *
   * @param differences receives the cells that are missing or differ
   */
  CopyCounts compare(Consumer<String> differences) {
    for (int i = 0; i < fates.length; i++) {
      if (fates[i] == Fate.PUT || fates[i] == Fate.CLAIMED) {
        differences.accept(place(family.to(), i) + " is missing in the target");
      } else if (fates[i] == Fate.DIFFERS || fates[i] == Fate.CONTRADICTS) {
        tellDifference(i, target, differences);
      }
    }
    return counts(target, 0, 0);
  }

  /**
   * Compares after all changes.
   *
   * @param found the target's row as it was read back
   * @param differences receives the cells that still differ
   * @throws CopyException if a cell that was put is missing
   */
  CopyCounts verify(Row found, Consumer<String> differences) {
    int changed = 0;
    int redated = 0;
    for (int i = 0; i < fates.length; i++) {
      if (fates[i] == Fate.DIFFERS) {
        tellDifference(i, target, differences);
      } else if (fates[i] != Fate.NEWER && isChanged(i, found)) {
        tellDifference(i, found, differences);
        changed++;
      } else if (fates[i] == Fate.PUT || fates[i] == Fate.REPLACES) {
        redated += isDated(i, found) ? 1 : 0;
      }
    }
    return counts(found, changed, redated);
  }

  /** Whether another client has written the cell since. */
  private boolean isChanged(int i, Row found) {
    int at = found.indexOf(source.qualifier(i));
    if (at < 0) {
      throw new CopyException(
          place(family.to(), i)
              + " was put into the target and is missing there: it was deleted since, a later"
              + " deletion hides it (a major compaction removes that), or the table's time to"
              + " live (TTL) has passed");
    }
    boolean same = Arrays.equals(source.value(i), found.value(at));
    if (isEntry(i) && !same) {
      throw new CopyException(
          place(family.to(), i)
              + " was put into the target as "
              + shown(source.value(i), source.writeTime(i))
              + " and is "
              + shown(found.value(at), found.writeTime(at))
              + " there");
    }
    return !same;
  }

  /**
   * Whether it has another write time than expected; a store dates no cell later than its clock.
   */
  private boolean isDated(int i, Row found) {
    int at = found.indexOf(source.qualifier(i));
    return at >= 0 && found.writeTime(at) != source.writeTime(i);
  }

  private void tellDifference(int i, Row there, Consumer<String> differences) {
    int at = there.indexOf(source.qualifier(i));
    differences.accept(
        place(family.to(), i)
            + " is "
            + shown(source.value(i), source.writeTime(i))
            + " in the source and "
            + shown(there.value(at), there.writeTime(at))
            + " in the target");
  }

  private CopyCounts counts(Row found, int changed, int redated) {
    return new CopyCounts(
        1,
        source.size(),
        count(Fate.PUT, Fate.REPLACES, Fate.CLAIMED),
        count(Fate.DIFFERS, Fate.CONTRADICTS) + changed,
        count(Fate.NEWER),
        count(Fate.DATED) + redated,
        RowSum.of(source),
        RowSum.of(found, source));
  }

  private String place(Family in, int i) {
    return "cell " + hex(source.qualifier(i)) + " of row " + hex(source.key()) + " of " + in;
  }

  private static String shown(byte[] value, long writeTime) {
    String hex = hex(value.length <= SHOWN_BYTES ? value : Arrays.copyOf(value, SHOWN_BYTES));
    return (hex.isEmpty() ? "empty" : hex)
        + (value.length <= SHOWN_BYTES ? "" : "… (" + value.length + " bytes)")
        + " of "
        + writeTime;
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }
}
