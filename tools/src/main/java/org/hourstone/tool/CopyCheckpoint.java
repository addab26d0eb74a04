package org.hourstone.tool;

import java.util.HexFormat;
import java.util.List;
import org.hourstone.error.RequestException;
import org.hourstone.internal.Json;
import org.hourstone.kv.Scan;

/** The saved progress of a copy, as JSON with these fields. */
record CopyCheckpoint(List<Part> parts) {
  private static final HexFormat HEX = HexFormat.of();

  /**
   * @param start the start of the part's key range; all keys are in hex
   * @param stop the end of the range; empty if it has no end
   */
  private record Part(
      String family,
      int phase,
      boolean again,
      int selection,
      String start,
      String stop,
      String next,
      boolean begun,
      boolean done,
      CopyCounts counts) {}

  static CopyCheckpoint of(List<CopyPart> parts) {
    return new CopyCheckpoint(parts.stream().map(CopyCheckpoint::saved).toList());
  }

  private static Part saved(CopyPart part) {
    byte[] stop = part.scan.stop();
    return new Part(
        part.family.from().toString(),
        part.phase,
        part.again,
        part.selection,
        HEX.formatHex(part.scan.start()),
        stop == null ? "" : HEX.formatHex(stop),
        HEX.formatHex(part.next),
        part.begun,
        part.done,
        part.counts);
  }

  String text() {
    return Json.text(this);
  }

  /**
   * The parts of a saved checkpoint.
   *
   * @throws CheckpointException if it is not a checkpoint or does not belong to this copy
   */
  static List<CopyPart> read(String text, List<CopyFamily> families, int selections) {
    try {
      CopyCheckpoint saved = Json.read(text, CopyCheckpoint.class);
      if (saved == null || saved.parts.isEmpty() || saved.parts.contains(null)) {
        throw new CheckpointException("it has no parts", null);
      }
      return saved.parts.stream().map(part -> restored(part, families, selections)).toList();
    } catch (CheckpointException e) {
      throw e;
    } catch (RequestException | IllegalArgumentException e) { // of the JSON or of a range
      throw new CheckpointException(String.valueOf(e.getMessage()), e);
    }
  }

  private static CopyPart restored(Part saved, List<CopyFamily> families, int selections) {
    CopyFamily family =
        families.stream()
            .filter(each -> each.from().toString().equals(saved.family))
            .findFirst()
            .orElseThrow(() -> new CheckpointException("it is of other tables", null));
    if (saved.selection >= selections) {
      throw new CheckpointException("it is of another selection", null);
    }
    byte[] stop = saved.stop.isEmpty() ? null : key(saved.stop);
    Scan scan = Scan.range(key(saved.start), stop);
    CopyPart part = new CopyPart(family, saved.phase, saved.again, saved.selection, scan);
    part.next = key(saved.next);
    part.begun = saved.begun;
    part.done = saved.done;
    part.counts = saved.counts;
    return part;
  }

  private static byte[] key(String hex) {
    try {
      return HEX.parseHex(hex);
    } catch (IllegalArgumentException e) {
      throw new CheckpointException("not a key in hex: " + hex, e);
    }
  }
}
