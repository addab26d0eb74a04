package org.hourstone.api.otlp;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.hourstone.api.proto.UnreadableException;
import org.hourstone.internal.Json;
import org.hourstone.internal.NumberText;

/**
 * Translates a request in JSON to protobuf, token by token: it is then read in the same way. That
 * has at most four times the bytes, those of a list of short numbers.
 */
final class JsonRequest {
  private static final int VARINT = 0;
  private static final int FIXED = 1;
  private static final int DEEPEST = 100;
  private static final int LONGEST_NUMBER = 50;
  private static final Pattern UNSIGNED = Pattern.compile("[0-9]{1,20}");
  private static final Pattern DECIMAL =
      Pattern.compile("[-+]?[0-9.]+([eE][-+]?[0-9]+)?|NaN|-?Infinity");

  private final JsonParser json;
  private final ByteBuilder to = new ByteBuilder();

  private JsonRequest(JsonParser json) {
    this.json = json;
  }

  /**
   * @throws UnreadableException if it is not JSON, or a member has a value of another type
   */
  static ByteBuilder toProtobuf(byte[] utf8, int length) throws UnreadableException {
    try (JsonParser json = Json.parser(utf8, length)) {
      JsonRequest request = new JsonRequest(json);
      if (json.nextToken() != JsonToken.START_OBJECT) {
        throw new UnreadableException("not OTLP in JSON: the body is not an object");
      }
      request.message(JsonMessage.REQUEST, 0);
      if (json.nextToken() != null) {
        throw new UnreadableException("not OTLP in JSON: there is more after the object");
      }
      return request.to;
    } catch (JsonProcessingException e) {
      throw new UnreadableException("not JSON: " + Json.complaint(e));
    } catch (CharacterCodingException e) {
      throw new UnreadableException("not JSON: the body is not in UTF-8");
    } catch (IOException e) {
      throw new UncheckedIOException("reading from memory", e);
    }
  }

  private UnreadableException wrong(String what) {
    return new UnreadableException(
        "not OTLP in JSON: " + json.getParsingContext().pathAsPointer() + " is not " + what);
  }

  private void message(JsonMessage message, int depth) throws IOException, UnreadableException {
    if (depth > DEEPEST) {
      throw wrong("nested less than " + DEEPEST + " times");
    }
    long given = 0; // by the numbers of fields
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      JsonMessage.Member member = message.member(json.currentName());
      if (json.nextToken() == JsonToken.VALUE_NULL) {
        continue;
      }
      if (member == null) {
        json.skipChildren();
      } else {
        long bit = 1L << member.field();
        if ((given & bit) != 0) {
          throw wrong("given once");
        }
        if ((given & message.instead(member.field())) != 0) {
          throw wrong("given alone, but beside another of which one is expected");
        }
        given |= bit;
        value(member, depth);
      }
    }
  }

  private void value(JsonMessage.Member member, int depth) throws IOException, UnreadableException {
    int field = member.field();
    switch (member.kind()) {
      case TEXT -> to.addRange(field, text());
      case BASE64 -> to.addRange(field, base64());
      case FLAG -> addNumber(field, flag() ? 1 : 0);
      case VARINT -> addNumber(field, integer());
      case BITS -> {
        long number = integer();
        requireShort(number >>> Integer.SIZE == 0);
        addNumber(field, number);
      }
      case TEMPORALITY -> addNumber(field, temporality());
      case ZIGZAG -> {
        long number = integer();
        requireShort(number == (int) number);
        addNumber(field, (number << 1) ^ (number >> (Long.SIZE - 1)));
      }
      case FIXED -> {
        to.addTag(field, FIXED);
        to.addFixed(unsigned());
      }
      case SIGNED_FIXED -> {
        to.addTag(field, FIXED);
        to.addFixed(integer());
      }
      case DECIMAL -> {
        to.addTag(field, FIXED);
        to.addFixed(Double.doubleToRawLongBits(decimal()));
      }
      case MESSAGE -> part(member, depth);
      case MESSAGES -> {
        requireList();
        while (json.nextToken() != JsonToken.END_ARRAY) {
          part(member, depth);
        }
      }
      case VARINTS, FIXEDS, DECIMALS -> numbers(member);
    }
  }

  private void addNumber(int field, long value) {
    to.addTag(field, VARINT);
    to.addVarint(value);
  }

  private void part(JsonMessage.Member member, int depth) throws IOException, UnreadableException {
    JsonMessage message = member.message();
    if (message == null || json.currentToken() != JsonToken.START_OBJECT) {
      throw wrong("an object");
    }
    int begin = to.begin(member.field());
    message(message, depth + 1);
    to.end(begin);
  }

  private void numbers(JsonMessage.Member member) throws IOException, UnreadableException {
    requireList();
    int begin = to.begin(member.field());
    while (json.nextToken() != JsonToken.END_ARRAY) {
      switch (member.kind()) {
        case VARINTS -> to.addVarint(unsigned());
        case FIXEDS -> to.addFixed(unsigned());
        default -> to.addFixed(Double.doubleToRawLongBits(decimal()));
      }
    }
    to.end(begin);
  }

  private void requireList() throws UnreadableException {
    if (json.currentToken() != JsonToken.START_ARRAY) {
      throw wrong("a list");
    }
  }

  private byte[] text() throws IOException, UnreadableException {
    if (json.currentToken() != JsonToken.VALUE_STRING) {
      throw wrong("a text");
    }
    try {
      ByteBuffer utf8 = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(json.getText()));
      byte[] bytes = new byte[utf8.remaining()];
      utf8.get(bytes);
      return bytes;
    } catch (CharacterCodingException e) { // a half of a surrogate pair
      throw wrong("a text of Unicode characters");
    }
  }

  private byte[] base64() throws IOException, UnreadableException {
    if (json.currentToken() != JsonToken.VALUE_STRING) {
      throw wrong("a text in base 64");
    }
    return json.getBinaryValue();
  }

  private boolean flag() throws UnreadableException {
    if (!json.currentToken().isBoolean()) {
      throw wrong("true or false");
    }
    return json.currentToken() == JsonToken.VALUE_TRUE;
  }

  /** The digits of a number, which may be in quotes. */
  private String digits(String what) throws IOException, UnreadableException {
    JsonToken token = json.currentToken();
    if (token != JsonToken.VALUE_STRING && !token.isNumeric()) {
      throw wrong(what);
    }
    return json.getText();
  }

  private long integer() throws IOException, UnreadableException {
    String digits = digits("an integer");
    try {
      return Long.parseLong(digits);
    } catch (NumberFormatException e) {
      return unusual(digits);
    }
  }

  private long temporality() throws IOException, UnreadableException {
    int named = Otlp.TEMPORALITIES.indexOf(json.getText());
    return named < 0 ? integer() : named;
  }

  /** One with a fraction of zeros or an exponent. */
  private long unusual(String digits) throws UnreadableException {
    try {
      if (digits.length() > LONGEST_NUMBER) {
        throw wrong("an integer of 64 bits");
      }
      return new BigDecimal(digits).longValueExact();
    } catch (NumberFormatException e) {
      throw wrong("an integer");
    } catch (ArithmeticException e) {
      throw wrong("an integer of 64 bits");
    }
  }

  /** One of 64 bits without a sign. */
  private long unsigned() throws IOException, UnreadableException {
    String digits = digits("an integer");
    if (UNSIGNED.matcher(digits).matches()) {
      try {
        return Long.parseUnsignedLong(digits);
      } catch (NumberFormatException e) {
        throw wrong("an integer of 64 bits");
      }
    }
    long number = unusual(digits);
    if (number < 0) {
      throw wrong("an integer without a sign");
    }
    return number;
  }

  private void requireShort(boolean isShort) throws UnreadableException {
    if (!isShort) {
      throw wrong("an integer of 32 bits");
    }
  }

  private double decimal() throws IOException, UnreadableException {
    String digits = digits("a number");
    if (!DECIMAL.matcher(digits).matches()) {
      throw wrong("a number");
    }
    try {
      double nearest = Double.parseDouble(digits);
      if (!NumberText.isHeld(digits, nearest)) {
        throw wrong("a number that a double can hold");
      }
      return nearest;
    } catch (NumberFormatException e) {
      throw wrong("a number");
    }
  }
}
