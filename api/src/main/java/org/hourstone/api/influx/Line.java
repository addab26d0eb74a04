package org.hourstone.api.influx;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Stream;
import org.hourstone.api.door.DoorLines;
import org.hourstone.api.door.LineFault;
import org.hourstone.write.DoubleText;
import org.hourstone.write.SingleLine;

/**
 * One line: {@code measurement[,tag=value…] field=value[,field=value…] [timestamp]}. It is read
 * again and again, into the same columns, so a line costs no object. For one thread.
 */
final class Line {
  /** A field's type. */
  enum Type {
    FLOAT,
    INTEGER,
    STRING
  }

  private static final int FIRST_CAPACITY = 16;

  /** More than anyone sends, so that what a line takes in memory is bounded. */
  static final int MOST_FIELDS = 65_536;

  private static final byte[][] TRUE = bytes("t", "T", "true", "True", "TRUE");
  private static final byte[][] FALSE = bytes("f", "F", "false", "False", "FALSE");
  private static final long MAX_TENTH = Long.MAX_VALUE / 10;

  private byte[] text = {};
  private int key;
  private int keyEnd;
  private int fields;
  private int[] names = new int[FIRST_CAPACITY];
  private int[] nameEnds = new int[FIRST_CAPACITY];
  private Type[] types = new Type[FIRST_CAPACITY];

  /** The bits of floats. */
  private long[] values = new long[FIRST_CAPACITY];

  private boolean hasTimestamp;
  private long timestamp;

  private static byte[][] bytes(String... names) {
    return Stream.of(names)
        .map(name -> name.getBytes(StandardCharsets.US_ASCII))
        .toArray(byte[][]::new);
  }

  /**
   * Reads a line.
   *
   * @param from its first character that is not blank
   * @throws LineFault if it is not one; says why
   */
  void read(byte[] in, int from, int to) throws LineFault {
    text = in;
    key = from;
    keyEnd = LineText.indexOf(in, from, to, ' ');
    fields = 0;
    int at = DoorLines.skipBlanks(in, keyEnd, to);
    if (at == to) {
      throw new LineFault("there are no fields");
    }
    while (true) {
      at = field(at, to);
      if (at == to || in[at] != ',') {
        break;
      }
      at++;
    }
    at = DoorLines.skipBlanks(in, at, to);
    hasTimestamp = at < to;
    if (hasTimestamp) {
      int end = to;
      while (DoorLines.isBlank(in[end - 1])) {
        end--;
      }
      timestamp = integer(at, end, "the timestamp", 0, 0);
    }
  }

  /** Reads a field; returns the index of what is after it. */
  private int field(int from, int to) throws LineFault {
    int equals = from;
    while (equals < to && !endsName(text[equals], equals == from ? 0 : text[equals - 1])) {
      equals++;
    }
    if (equals == from) {
      throw new LineFault("a field has no name");
    }
    if (equals == to || text[equals] != '=') {
      throw new LineFault("the field " + shown(from, equals) + " has no value");
    }
    int value = equals + 1;
    int end = value;
    if (end < to && text[end] == '"') {
      end = LineText.endOfString(text, value, to) + 1;
      if (end > to) {
        throw new LineFault("the string of the field " + shown(from, equals) + " does not end");
      }
      if (end < to && text[end] != ',' && !DoorLines.isBlank(text[end])) {
        throw new LineFault(
            "there is something after the string of the field " + shown(from, equals));
      }
      add(from, equals, Type.STRING, 0);
      return end;
    }
    while (end < to && text[end] != ',' && !DoorLines.isBlank(text[end])) {
      end++;
    }
    if (end == value) {
      throw new LineFault("the field " + shown(from, equals) + " has no value");
    }
    addNumber(from, equals, value, end);
    return end;
  }

  private static boolean endsName(byte c, int before) {
    return (c == '=' || c == ',' || c == ' ') && before != '\\';
  }

  private void addNumber(int name, int nameEnd, int from, int to) throws LineFault {
    switch (text[to - 1]) {
      case 'i' ->
          add(name, nameEnd, Type.INTEGER, integer(from, to - 1, "the value of ", name, nameEnd));
      case 'u' -> {
        long value = integer(from, to - 1, "the unsigned value of ", name, nameEnd);
        if (value < 0) {
          throw new LineFault(
              "the unsigned value of " + shown(name, nameEnd) + " is negative: " + shown(from, to));
        }
        add(name, nameEnd, Type.INTEGER, value);
      }
      default -> {
        int truth = truth(from, to);
        if (truth >= 0) {
          add(name, nameEnd, Type.INTEGER, truth);
          return;
        }
        double value = DoubleText.of(text, from, to);
        if (Double.isNaN(value)) {
          throw new LineFault(
              "the value of "
                  + shown(name, nameEnd)
                  + " is not a number that a double can hold: "
                  + shown(from, to));
        }
        add(name, nameEnd, Type.FLOAT, Double.doubleToRawLongBits(value));
      }
    }
  }

  /** 1 for true, 0 for false, -1 for anything else. */
  private int truth(int from, int to) {
    byte first = text[from];
    if (first != 't' && first != 'T' && first != 'f' && first != 'F') {
      return -1;
    }
    boolean isTrue = first == 't' || first == 'T';
    for (byte[] name : isTrue ? TRUE : FALSE) {
      if (Arrays.equals(text, from, to, name, 0, name.length)) {
        return isTrue ? 1 : 0;
      }
    }
    return -1;
  }

  /**
   * @param what what it is of, for the reason of a refusal; the name of a field follows
   */
  private long integer(int from, int to, String what, int name, int nameEnd) throws LineFault {
    boolean negative = from < to && text[from] == '-';
    int first = from < to && (negative || text[from] == '+') ? from + 1 : from;
    long value = 0; // negative, since there is one more of these
    boolean overflows = false;
    for (int i = first; i < to; i++) {
      int digit = text[i] - '0';
      if (digit < 0 || digit > 9) {
        throw notInteger(from, to, what + shown(name, nameEnd));
      }
      overflows |= value < -MAX_TENTH || 10 * value < Long.MIN_VALUE + digit;
      value = 10 * value - digit;
    }
    if (first == to) {
      throw notInteger(from, to, what + shown(name, nameEnd));
    }
    if (overflows || (!negative && value == Long.MIN_VALUE)) {
      throw new LineFault(
          what
              + shown(name, nameEnd)
              + " is out of range: "
              + shown(from, to)
              + (negative ? ", the least is -2^63" : ", the greatest is 2^63-1"));
    }
    return negative ? value : -value;
  }

  private LineFault notInteger(int from, int to, String what) {
    return new LineFault(what + " is not an integer: " + shown(from, to));
  }

  private void add(int name, int nameEnd, Type type, long value) throws LineFault {
    if (fields == MOST_FIELDS) {
      throw new LineFault("there are more than " + MOST_FIELDS + " fields");
    }
    if (fields == names.length) {
      names = Arrays.copyOf(names, 2 * fields);
      nameEnds = Arrays.copyOf(nameEnds, 2 * fields);
      types = Arrays.copyOf(types, 2 * fields);
      values = Arrays.copyOf(values, 2 * fields);
    }
    names[fields] = name;
    nameEnds[fields] = nameEnd;
    types[fields] = type;
    values[fields] = value;
    fields++;
  }

  private String shown(int from, int to) {
    return SingleLine.of(new String(text, from, Math.min(to - from, 100), StandardCharsets.UTF_8));
  }

  /** Where measurement and tags begin. */
  int key() {
    return key;
  }

  int keyEnd() {
    return keyEnd;
  }

  int fields() {
    return fields;
  }

  int name(int field) {
    return names[field];
  }

  int nameEnd(int field) {
    return nameEnds[field];
  }

  Type type(int field) {
    return types[field];
  }

  /** That of an integer; 0 or 1 for a boolean. */
  long integer(int field) {
    return values[field];
  }

  double decimal(int field) {
    return Double.longBitsToDouble(values[field]);
  }

  boolean hasTimestamp() {
    return hasTimestamp;
  }

  long timestamp() {
    return timestamp;
  }
}
