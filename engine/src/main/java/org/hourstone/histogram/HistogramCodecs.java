package org.hourstone.histogram;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.ServiceLoader;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.error.RequestException;
import org.hourstone.internal.Json;
import org.hourstone.kv.Limits;

/**
 * The codecs of histograms by id, the first byte of a cell. Immutable. See {@code
 * docs/format/histogram.md#codecs}.
 */
public final class HistogramCodecs {
  /** The name of OpenTSDB's built-in codec in its settings. */
  private static final String OPENTSDB_SIMPLE = "net.opentsdb.core.SimpleHistogramDecoder";

  /**
   * OpenTSDB accepts larger ids in its settings, but reads the byte as signed and then finds no
   * codec.
   */
  private static final int MAX_ID = 0x7F;

  private final Map<Integer, HistogramCodec> byId;

  private HistogramCodecs(Map<Integer, HistogramCodec> byId) {
    this.byId = byId;
  }

  /**
   * Parses a setting.
   *
   * @param setting a JSON object with the class names of codecs and their ids, or the path, ending
   *     in {@code .json}, of a file with such an object; empty for no codecs
   * @throws IllegalArgumentException if it is malformed, or names a class that is not a codec
   */
  public static HistogramCodecs of(String setting) {
    Map<Integer, HistogramCodec> byId = new HashMap<>();
    if (!setting.isBlank()) {
      JsonNode ids = Json.readTextOrFile(setting);
      if (!ids.isObject()) {
        throw new IllegalArgumentException("not a JSON object of class names and ids");
      }
      for (Map.Entry<String, JsonNode> entry : ids.properties()) {
        int id = id(entry.getKey(), entry.getValue());
        if (byId.put(id, codec(entry.getKey())) != null) {
          throw new IllegalArgumentException("two histogram codecs have the id " + id);
        }
      }
    }
    return new HistogramCodecs(byId);
  }

  private static int id(String className, JsonNode number) {
    if (!number.canConvertToInt() || number.asInt() < 0 || number.asInt() > MAX_ID) {
      throw new IllegalArgumentException(
          "the histogram codec " + className + " has the id " + number + ": not in 0..127");
    }
    return number.asInt();
  }

  private static HistogramCodec codec(String className) {
    if (className.equals(OPENTSDB_SIMPLE)
        || className.equals(SimpleHistogramCodec.class.getName())) {
      return new SimpleHistogramCodec();
    }
    for (HistogramCodec codec : ServiceLoader.load(HistogramCodec.class)) {
      if (codec.getClass().getName().equals(className)) {
        return codec;
      }
    }
    throw new IllegalArgumentException(
        "no histogram codec "
            + className
            + ": the built-in one is "
            + OPENTSDB_SIMPLE
            + ", others must be on the class path as services of "
            + HistogramCodec.class.getName());
  }

  /** The exception for a request about histograms if no codec is configured. */
  public static RequestException noneConfigured() {
    return new RequestException(
        "Histogram storage has not been enabled. Check the 'tsd.core.histograms.config'"
            + " configuration.");
  }

  /** Whether no codec is configured, so that histograms can't be written or read. */
  public boolean isEmpty() {
    return byId.isEmpty();
  }

  /**
   * Encodes a cell.
   *
   * @throws RequestException if no codec has this id, the codec can't encode this histogram, or the
   *     result is longer than {@link Limits#VALUE}
   */
  public byte[] encode(int id, Histogram histogram) {
    byte[] bytes = codec(id).encode(histogram);
    if (bytes.length >= Limits.VALUE) {
      throw new RequestException(
          "the histogram has "
              + bytes.length
              + " bytes, and at most "
              + (Limits.VALUE - 1)
              + " fit");
    }
    byte[] cell = new byte[bytes.length + 1];
    cell[0] = (byte) id;
    System.arraycopy(bytes, 0, cell, 1, bytes.length);
    return cell;
  }

  /**
   * Decodes a histogram that is given without an id.
   *
   * @param strict whether all bytes are taken that the simple codec can read, else only those that
   *     it writes for a histogram as in {@link HistogramText#add}
   * @throws RequestException if no codec has this id
   * @throws CorruptDataException if the codec can't have produced the bytes
   */
  public Histogram decode(int id, byte[] bytes, boolean strict) {
    HistogramCodec codec = codec(id);
    return codec instanceof SimpleHistogramCodec simple && !strict
        ? simple.decodeExactly(bytes)
        : codec.decode(bytes);
  }

  /**
   * Decodes a cell.
   *
   * @throws CorruptDataException if no codec has its id, or the codec can't decode the rest
   */
  public Histogram decode(byte[] cell) {
    if (cell.length == 0) {
      throw new CorruptDataException("Corrupted histogram: no bytes, not even a codec's id");
    }
    HistogramCodec codec = byId.get(cell[0] & 0xFF);
    if (codec == null) {
      throw new CorruptDataException(
          "Histogram of the codec " + (cell[0] & 0xFF) + ", which is not configured");
    }
    byte[] bytes = new byte[cell.length - 1];
    System.arraycopy(cell, 1, bytes, 0, bytes.length);
    return codec.decode(bytes);
  }

  /**
   * The id of the codec for histograms given as buckets.
   *
   * @throws RequestException if the simple codec is not configured
   */
  public int simpleId() {
    return simple()
        .orElseThrow(() -> new RequestException("no id is configured for " + OPENTSDB_SIMPLE));
  }

  /** As {@link #simpleId()}; empty if the simple codec is not configured. */
  public OptionalInt simple() {
    return byId.entrySet().stream()
        .filter(entry -> entry.getValue() instanceof SimpleHistogramCodec)
        .mapToInt(Map.Entry::getKey)
        .min();
  }

  private HistogramCodec codec(int id) {
    HistogramCodec codec = byId.get(id);
    if (codec == null) {
      throw new RequestException("no histogram codec has the id " + id);
    }
    return codec;
  }
}
