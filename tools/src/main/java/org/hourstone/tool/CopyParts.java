package org.hourstone.tool;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.hourstone.kv.Family;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a copy, handed out phase by phase, with their progress and counts.
 *
 * <p>A checkpoint contains only cells that have been put, read back and compared. A part starts
 * only after a checkpoint has recorded it. At most {@link #CELLS_PER_CHECKPOINT} of its copied
 * cells are not covered by the last checkpoint. Thread-safe.
 */
final class CopyParts {
  /** Approximate: the last batch may exceed it. */
  static final long CELLS_PER_CHECKPOINT = 100_000;

  private static final int BATCH_CELLS = 20_000;

  private final List<CopyPart> parts;
  private final OneAtATime<CopyListener> listener;
  private final boolean saves;
  private final Map<Family, CopyCounts> beside = new TreeMap<>();
  private int handedOut;

  /**
   * @param saves whether the listener gets checkpoints
   */
  CopyParts(List<CopyPart> parts, OneAtATime<CopyListener> listener, boolean saves) {
    this.parts = parts;
    this.listener = listener;
    this.saves = saves;
  }

  /**
   * Continues with the parts of a checkpoint. Some of their cells may have been copied after the
   * checkpoint.
   *
   * @throws CheckpointException if it is not a checkpoint or does not belong to this copy
   */
  static List<CopyPart> read(String checkpoint, List<CopyFamily> families, int selections) {
    List<CopyPart> parts = CopyCheckpoint.read(checkpoint, families, selections);
    for (CopyPart part : parts) {
      part.repeated = part.begun && !part.done ? CELLS_PER_CHECKPOINT + BATCH_CELLS : 0;
    }
    return parts;
  }

  int phases() {
    return parts.stream().mapToInt(part -> part.phase).max().orElse(0) + 1;
  }

  /** All parts, for read-ahead. */
  List<CopyPart> all() {
    return List.copyOf(parts);
  }

  /** Starts and returns the next part of a phase; null if all are handed out. */
  synchronized @Nullable CopyPart next(int phase) {
    while (handedOut < parts.size()) {
      CopyPart part = parts.get(handedOut);
      if (part.phase > phase) {
        return null;
      }
      handedOut++;
      if (!part.done) {
        if (!part.begun) {
          part.begun = true;
          save();
        }
        return part;
      }
    }
    return null;
  }

  /** Whether the next cells may have been copied by an interrupted run. */
  synchronized boolean isRepeated(CopyPart part) {
    return part.repeated > 0;
  }

  /** Records that a part was interrupted and is resumed. */
  synchronized void repeat(CopyPart part) {
    part.repeated = Math.max(part.repeated, BATCH_CELLS);
  }

  /** Records that all rows of a part up to this one are complete. */
  synchronized void did(CopyPart part, byte[] key, CopyCounts counts) {
    part.did(key);
    part.counts = part.counts.plus(counts);
    part.repeated -= counts.cells();
    part.unsaved += counts.cells();
    if (part.unsaved >= CELLS_PER_CHECKPOINT) {
      save();
    }
    tell();
  }

  synchronized void finish(CopyPart part) {
    part.done = true;
    save();
    tell();
  }

  /** Adds the counts of cells that do not belong to a part. */
  synchronized void didBeside(Family family, CopyCounts counts) {
    beside.merge(family, counts, CopyCounts::plus);
  }

  private void tell() {
    CopyCounts total = report().total();
    int done = (int) parts.stream().filter(part -> part.done).count();
    listener.call(to -> to.progress(total.rows(), total.cells(), done, parts.size()));
  }

  /** The counts so far. */
  synchronized CopyReport report() {
    Map<Family, CopyCounts> families = new TreeMap<>(beside);
    for (CopyPart part : parts) {
      families.merge(part.family.from(), counted(part), CopyCounts::plus);
    }
    return new CopyReport(families);
  }

  /** The counts of a part. For rows counted in an earlier phase, only the changes are counted. */
  private static CopyCounts counted(CopyPart part) {
    CopyCounts counts = part.counts;
    return part.again ? new CopyCounts(0, 0, counts.put(), counts.differing(), 0, 0, 0, 0) : counts;
  }

  private void save() {
    if (!saves) {
      return;
    }
    parts.forEach(part -> part.unsaved = 0);
    String checkpoint = CopyCheckpoint.of(parts).text();
    listener.call(to -> to.checkpoint(checkpoint));
  }
}
