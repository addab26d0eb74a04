package org.hourstone.tool;

import java.util.HexFormat;
import java.util.List;
import org.hourstone.error.RequestException;
import org.hourstone.internal.Json;
import org.hourstone.kv.Scan;

/** The progress of a copy, as it is saved: JSON of these fields. */
record CopyCheckpoint(List<Part> parts) {
  private static final HexFormat HEX = HexFormat.of();

  /**
   * @param start of the part's range of keys, in hex as the other keys
   * @param stop empty if it has no end
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
   * @throws RequestException if it is not a checkpoint, or not one of this copy
   */
  static List<CopyPart> read(String text, List<CopyFamily> families, int selections) {
    CopyCheckpoint saved = Json.read(text, CopyCheckpoint.class);
    if (saved == null || saved.parts.isEmpty() || saved.parts.contains(null)) {
      throw new RequestException("a checkpoint without parts");
    }
    try {
      return saved.parts.stream().map(part -> restored(part, families, selections)).toList();
    } catch (IllegalArgumentException e) { // of a key
      throw new RequestException("a corrupt checkpoint: " + e.getMessage(), e);
    }
  }

  private static CopyPart restored(Part saved, List<CopyFamily> families, int selections) {
    CopyFamily family =
        families.stream()
            .filter(each -> each.from().toString().equals(saved.family))
            .findFirst()
            .orElseThrow(() -> new RequestException("a checkpoint of other tables"));
    if (saved.selection >= selections) {
      throw new RequestException("a checkpoint of another selection");
    }
    byte[] stop = saved.stop.isEmpty() ? null : HEX.parseHex(saved.stop);
    Scan scan = Scan.range(HEX.parseHex(saved.start), stop);
    CopyPart part = new CopyPart(family, saved.phase, saved.again, saved.selection, scan);
    part.next = HEX.parseHex(saved.next);
    part.begun = saved.begun;
    part.done = saved.done;
    part.counts = saved.counts;
    return part;
  }
}
