package org.hourstone.api.otlp;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Base64;
import org.hourstone.api.door.NameBytes;
import org.hourstone.api.proto.ProtoReader;
import org.hourstone.api.proto.UnreadableException;
import org.hourstone.error.RequestException;
import org.hourstone.internal.Json;

/** The text of an attribute's value: lists and maps as JSON, bytes in base 64. */
final class AttributeText {
  private static final int DEEPEST = 32;
  private static final double PLAIN_FROM = 1e-9;
  private static final double PLAIN_TO = 1e15;

  private AttributeText() {}

  /**
   * @throws UnreadableException if the range is no message
   * @throws RequestException if the value is nested too deeply, or not UTF-8
   */
  static String of(byte[] body, int from, int to) throws UnreadableException {
    StringBuilder text = new StringBuilder();
    append(body, from, to, 0, text);
    return text.toString();
  }

  /**
   * @param depth 0 for a value that is no part of another, which is in quotes if it is a text
   */
  private static void append(byte[] body, int from, int to, int depth, StringBuilder text)
      throws UnreadableException {
    if (depth > DEEPEST) {
      throw new RequestException("the value of an attribute is nested too deeply");
    }
    int begin = text.length();
    boolean isText = false;
    ProtoReader value = new ProtoReader(body, from, to);
    while (value.next()) { // the last one counts
      text.setLength(begin);
      isText = false;
      switch (value.field()) {
        case Otlp.STRING -> {
          text.append(NameBytes.text("an attribute's value", body, value.from(), value.to()));
          isText = true;
        }
        case Otlp.BOOL -> text.append(value.number() != 0);
        case Otlp.INT -> text.append(value.number());
        case Otlp.DOUBLE -> {
          text.append(text(value.decimal()));
          isText = !Double.isFinite(value.decimal());
        }
        case Otlp.ARRAY -> appendList(body, value.from(), value.to(), depth, text);
        case Otlp.MAP -> appendMap(body, value.from(), value.to(), depth, text);
        case Otlp.BYTES -> {
          byte[] bytes = Arrays.copyOfRange(body, value.from(), value.to());
          text.append(Base64.getEncoder().encodeToString(bytes));
          isText = true;
        }
        default -> {} // of a later version
      }
    }
    if (depth > 0 && isText) {
      String plain = text.substring(begin);
      text.setLength(begin);
      text.append(Json.text(plain));
    } else if (depth > 0 && text.length() == begin) {
      text.append("null");
    }
  }

  private static void appendList(byte[] body, int from, int to, int depth, StringBuilder text)
      throws UnreadableException {
    ProtoReader list = new ProtoReader(body, from, to);
    text.append('[');
    String separator = "";
    while (list.next()) {
      if (list.field() == 1) {
        text.append(separator);
        append(body, list.from(), list.to(), depth + 1, text);
        separator = ",";
      }
    }
    text.append(']');
  }

  private static void appendMap(byte[] body, int from, int to, int depth, StringBuilder text)
      throws UnreadableException {
    ProtoReader map = new ProtoReader(body, from, to);
    text.append('{');
    String separator = "";
    while (map.next()) {
      if (map.field() == 1) {
        text.append(separator);
        appendEntry(body, map.from(), map.to(), depth, text);
        separator = ",";
      }
    }
    text.append('}');
  }

  private static void appendEntry(byte[] body, int from, int to, int depth, StringBuilder text)
      throws UnreadableException {
    ProtoReader entry = new ProtoReader(body, from, to);
    String key = "";
    int valueFrom = from;
    int valueTo = from;
    while (entry.next()) {
      if (entry.field() == Otlp.KEY) {
        key = NameBytes.text("a key", body, entry.from(), entry.to());
      } else if (entry.field() == Otlp.VALUE) {
        valueFrom = entry.from();
        valueTo = entry.to();
      }
    }
    text.append(Json.text(key)).append(':');
    append(body, valueFrom, valueTo, depth + 1, text);
  }

  /** A number, without an exponent unless it is very large or small; {@code inf} for infinity. */
  static String text(double value) {
    double size = Math.abs(value);
    if (Double.isInfinite(value)) {
      return value > 0 ? "inf" : "-inf";
    }
    if (value == 0) {
      return "0";
    }
    if (size >= PLAIN_FROM && size < PLAIN_TO) {
      return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
    }
    return Double.toString(value);
  }
}
