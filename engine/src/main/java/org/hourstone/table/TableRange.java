package org.hourstone.table;

import java.util.Arrays;
import java.util.List;
import org.hourstone.kv.Family;
import org.hourstone.kv.Scan;

/**
 * A range of the rows of a family, which one thread processes, and its progress. The fields that
 * change are guarded by the {@link TableRun}; only the range's own thread changes {@link #next}.
 */
public final class TableRange {
  /** No selection: all rows. */
  public static final int ALL = -1;

  private final Family family;
  private final Scan scan;
  private final int phase;
  private final int selection;

  /** Every row of the range before this key is complete. */
  byte[] next;

  boolean begun;
  boolean done;

  /** The number of cells that were processed since the last checkpoint. */
  long unsaved;

  /** The number of remaining cells that an interrupted run may have processed. */
  long repeated;

  /**
   * @param phase the ranges of a phase are processed concurrently; the phases are executed one
   *     after the other
   * @param selection the index of the selection that limits the rows; {@link #ALL} if none does.
   *     Other negative numbers have a meaning for the user of the run
   */
  public TableRange(Family family, Scan scan, int phase, int selection) {
    this.family = family;
    this.scan = scan;
    this.phase = phase;
    this.selection = selection;
    this.next = scan.start();
  }

  /** Ranges without phases and selections. */
  public static List<TableRange> of(Family family, List<Scan> scans) {
    return scans.stream().map(scan -> new TableRange(family, scan, 0, ALL)).toList();
  }

  /** The family of the rows. */
  public Family family() {
    return family;
  }

  /** The phase of a run in which the range is processed. */
  public int phase() {
    return phase;
  }

  /** The index of the selection that limits the rows. */
  public int selection() {
    return selection;
  }

  Scan scan() {
    return scan;
  }

  /** The remaining rows. */
  public Scan rest() {
    return scan.from(next);
  }

  /** Records that all rows up to this one are complete. */
  void did(byte[] key) {
    next = Arrays.copyOf(key, key.length + 1);
  }
}
