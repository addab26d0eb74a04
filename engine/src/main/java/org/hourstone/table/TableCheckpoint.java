package org.hourstone.table;

import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.hourstone.error.RequestException;
import org.hourstone.internal.Json;
import org.hourstone.kv.Family;
import org.hourstone.kv.Scan;
import org.jspecify.annotations.Nullable;

/**
 * How far a {@link TableRun} has come: the ranges that are not complete, and the counts of the rows
 * that are. As text it has three lines: the format, the ranges and the counts, both in JSON.
 */
public final class TableCheckpoint {
  private static final String FORMAT = "ranges 1";
  private static final String CORRUPT_RANGES = "the ranges in it are corrupt";
  private static final HexFormat HEX = HexFormat.of();

  private record Saved(long rows, int done, List<Range> ranges) {}

  /**
   * @param start in hex, as all keys
   * @param stop empty if there is no end
   * @param next every row before it is complete
   */
  private record Range(
      String family,
      int phase,
      int selection,
      String start,
      String stop,
      String next,
      boolean begun) {}

  private final long rows;
  private final int done;
  private final List<TableRange> ranges;
  private final String counts;

  private TableCheckpoint(long rows, int done, List<TableRange> ranges, String counts) {
    this.rows = rows;
    this.done = done;
    this.ranges = List.copyOf(ranges);
    this.counts = counts;
  }

  TableCheckpoint(long rows, int done, List<TableRange> rest, Record counts) {
    this(rows, done, rest, Json.text(counts));
  }

  /** The checkpoint of a run that has not begun. */
  public static TableCheckpoint start(List<TableRange> ranges) {
    return new TableCheckpoint(0, 0, ranges, "");
  }

  /**
   * A checkpoint from its text.
   *
   * @param families those that the run reads
   * @param selections the number of the run's selections
   * @throws CheckpointException if it is not a checkpoint or not one of this run
   */
  public static TableCheckpoint read(String text, Set<Family> families, int selections) {
    String[] lines = text.split("\n", -1);
    if (lines.length != 3 || !lines[0].equals(FORMAT)) {
      throw new CheckpointException(
          "it is not a checkpoint in the format of this version, '" + FORMAT + "'", null);
    }
    try {
      Saved saved = Json.read(lines[1], Saved.class);
      if (saved == null || saved.ranges.contains(null)) {
        throw new CheckpointException("it has no ranges", null);
      }
      return new TableCheckpoint(
          saved.rows,
          saved.done,
          saved.ranges.stream().map(range -> restored(range, families, selections)).toList(),
          lines[2]);
    } catch (CheckpointException e) {
      throw e;
    } catch (RequestException | IllegalArgumentException e) { // of the JSON or of a range
      throw new CheckpointException(CORRUPT_RANGES, e);
    }
  }

  private static TableRange restored(Range saved, Set<Family> families, int selections) {
    Family family =
        families.stream()
            .filter(each -> each.toString().equals(saved.family))
            .findFirst()
            .orElseThrow(() -> new CheckpointException("it is of other tables", null));
    if (saved.selection >= selections) {
      throw new CheckpointException("it is of another selection", null);
    }
    byte[] stop = saved.stop.isEmpty() ? null : key(saved.stop);
    Scan scan = Scan.range(key(saved.start), stop);
    TableRange range = new TableRange(family, scan, saved.phase, saved.selection);
    range.next = key(saved.next);
    range.begun = saved.begun;
    return range;
  }

  private static byte[] key(String hex) {
    try {
      return HEX.parseHex(hex);
    } catch (IllegalArgumentException e) {
      throw new CheckpointException(CORRUPT_RANGES, e);
    }
  }

  /** The text, to save it. */
  public String text() {
    Saved saved = new Saved(rows, done, ranges.stream().map(TableCheckpoint::saved).toList());
    return String.join("\n", FORMAT, Json.text(saved), counts);
  }

  private static Range saved(TableRange range) {
    byte[] stop = range.scan().stop();
    return new Range(
        range.family().toString(),
        range.phase(),
        range.selection(),
        HEX.formatHex(range.scan().start()),
        stop == null ? "" : HEX.formatHex(stop),
        HEX.formatHex(range.next),
        range.begun);
  }

  /**
   * The counts of the complete rows.
   *
   * @throws CheckpointException if they are of another kind
   */
  public <T extends Record> T counts(Class<T> kind) {
    try {
      @Nullable T read = Json.read(counts, kind);
      if (read != null) {
        return read;
      }
    } catch (RequestException e) {
      throw new CheckpointException("the counts in it are corrupt", e);
    }
    throw new CheckpointException("it has no counts", null);
  }

  /** The number of complete rows. */
  long rows() {
    return rows;
  }

  /** The number of complete ranges. */
  int done() {
    return done;
  }

  /** The ranges that are not complete. */
  public List<TableRange> ranges() {
    return ranges;
  }
}
