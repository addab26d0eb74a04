package org.hourstone.mirror;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.hourstone.internal.Json;
import org.hourstone.uid.SeriesName;
import org.hourstone.uid.SeriesNames;
import org.hourstone.uid.UidTable;

/**
 * The series of points as JSON: the beginning of a point of {@code /api/put}, up to its timestamp.
 * It is kept until a name may have changed. For one thread.
 */
final class MirroredSeries {
  private static final byte[] TIMESTAMP = ",\"timestamp\":".getBytes(UTF_8);

  /** Above this many bytes all are forgotten. */
  private static final int MOST_BYTES = 16 << 20;

  /** About what a series takes besides its text. */
  private static final int OVERHEAD = 150;

  private final SeriesNames names;
  private final UidTable uids;
  private final Map<ByteBuffer, byte[]> known = new HashMap<>();
  private long knownBytes;
  private long asOf;
  private long keptUntil;

  MirroredSeries(SeriesNames names, UidTable uids) {
    this.names = names;
    this.uids = uids;
  }

  /**
   * The text of a series; not to be changed.
   *
   * @throws org.hourstone.uid.NoSuchUidException if one of its UIDs has no name
   */
  byte[] of(byte[] tsuid) {
    if (!uids.isCurrent(asOf, keptUntil) || knownBytes > MOST_BYTES) {
      known.clear();
      knownBytes = 0;
      asOf = uids.changes();
      keptUntil = uids.keptUntil();
    }
    ByteBuffer key = ByteBuffer.wrap(tsuid);
    byte[] text = known.get(key);
    if (text == null) {
      text = text(names.of(tsuid));
      known.put(key, text);
      knownBytes += text.length + OVERHEAD;
    }
    return text;
  }

  private static byte[] text(SeriesName series) {
    ObjectNode json = Json.object().put("metric", series.metric());
    series.tags().forEach(json.putObject("tags")::put);
    byte[] object = Json.bytes(json);
    byte[] text = new byte[object.length - 1 + TIMESTAMP.length]; // without the brace at its end
    System.arraycopy(object, 0, text, 0, object.length - 1);
    System.arraycopy(TIMESTAMP, 0, text, object.length - 1, TIMESTAMP.length);
    return text;
  }
}
