package org.hourstone.tool;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.hourstone.error.RequestException;
import org.hourstone.internal.Json;
import org.hourstone.kv.Scan;
import org.jspecify.annotations.Nullable;

/**
 * How far a run of {@code fsck} has come: the ranges of keys that it has not checked, and the
 * counts of the others. Immutable.
 */
public final class FsckCheckpoint {
  /** The beginning: nothing is checked. */
  public static final FsckCheckpoint START =
      new FsckCheckpoint(List.of(Scan.all()), new FsckReport(0, 0, 0, 0, 0, 0, Map.of(), Map.of()));

  private static final HexFormat HEX = HexFormat.of();

  /** As it is saved, in JSON. */
  private record Saved(List<Range> rest, FsckReport report) {}

  /**
   * @param start in hex
   * @param stop in hex; empty if there is no end
   */
  private record Range(String start, String stop) {}

  private final List<Scan> rest;
  private final FsckReport report;

  FsckCheckpoint(List<Scan> rest, FsckReport report) {
    this.rest = List.copyOf(rest);
    this.report = report;
  }

  /**
   * A checkpoint from its {@link #text}.
   *
   * @throws CheckpointException if it is not a checkpoint
   */
  public static FsckCheckpoint read(String text) {
    try {
      Saved saved = Json.read(text, Saved.class);
      if (saved == null || saved.rest.isEmpty() || saved.rest.contains(null)) {
        throw new CheckpointException("it has no keys", null);
      }
      return new FsckCheckpoint(
          saved.rest.stream().map(FsckCheckpoint::scan).toList(), saved.report);
    } catch (CheckpointException e) {
      throw e;
    } catch (RequestException | IllegalArgumentException e) { // of the JSON, or a range
      throw new CheckpointException(String.valueOf(e.getMessage()), e);
    }
  }

  /** One line of text, to save it. */
  public String text() {
    return Json.text(new Saved(rest.stream().map(FsckCheckpoint::range).toList(), report));
  }

  private static Range range(Scan scan) {
    byte[] stop = scan.stop();
    return new Range(HEX.formatHex(scan.start()), stop == null ? "" : HEX.formatHex(stop));
  }

  private static Scan scan(Range range) {
    return Scan.range(
        HEX.parseHex(range.start), range.stop.isEmpty() ? null : HEX.parseHex(range.stop));
  }

  /** The counts of the rows that were checked. */
  public FsckReport report() {
    return report;
  }

  /** The parts of a scan that have not been checked. */
  List<Scan> rest(Scan scan) {
    List<Scan> left = new ArrayList<>();
    for (Scan range : rest) {
      byte[] start = first(scan.start(), range.start());
      byte[] stop = last(scan.stop(), range.stop());
      if (stop == null) {
        left.add(scan.from(start));
      } else if (Arrays.compareUnsigned(start, stop) < 0) {
        left.add(scan.until(stop).from(start));
      }
    }
    return left;
  }

  private static byte[] first(byte[] one, byte[] other) {
    return Arrays.compareUnsigned(one, other) >= 0 ? one : other;
  }

  private static byte @Nullable [] last(byte @Nullable [] one, byte @Nullable [] other) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    return Arrays.compareUnsigned(one, other) <= 0 ? one : other;
  }
}
