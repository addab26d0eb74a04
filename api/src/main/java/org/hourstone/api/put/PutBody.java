package org.hourstone.api.put;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.hourstone.api.endpoint.RequestBody;
import org.hourstone.api.request.ApiException;
import org.hourstone.error.RequestException;
import org.hourstone.internal.Json;
import org.hourstone.write.LineDialect;
import org.jspecify.annotations.Nullable;

/**
 * Reads the body of {@code /api/put} and the like: a point or an array of points, or several of
 * them, one after the other. Numbers may be in quotes, text may be without quotes. A member of the
 * wrong type costs only its point. For one body.
 *
 * <p>This is the one reader that names faults. {@link PutScanner} reads the usual bodies without an
 * object for each field, which takes a fraction of the time; it refuses nothing, and what it takes
 * means the same here.
 */
final class PutBody {
  /** A number with a larger exponent is not a time. */
  private static final int MOST_DIGITS = 40;

  /**
   * A point that can be stored has more bytes than this; if those of a body have fewer, there would
   * be much more in memory than was sent.
   */
  private static final int LEAST_BYTES = 32;

  /** The number of points that any body may have. */
  private static final int FEW_POINTS = 1_000;

  private static final List<String> FIELDS = List.of("metric", "timestamp", "value", "tags");

  private final JsonParser json;
  private final PutReader rules;
  private final long first;
  private final int most;
  private final List<@Nullable PutPoint> points = new ArrayList<>();
  private boolean isListed;

  /** The first fault of the current point. */
  private @Nullable String fault;

  /**
   * @param length of the body
   * @param first the index of the first point
   */
  PutBody(JsonParser json, PutReader rules, int length, long first) {
    this.json = json;
    this.rules = rules;
    this.first = first;
    this.most = FEW_POINTS + length / LEAST_BYTES;
  }

  List<@Nullable PutPoint> points() throws IOException {
    boolean more = json.nextToken() != null;
    while (more) {
      if (json.currentToken() == JsonToken.START_ARRAY) {
        isListed = true;
        while (json.nextToken() != JsonToken.END_ARRAY) {
          add(element());
        }
      } else if (json.currentToken() == JsonToken.START_OBJECT) {
        add(point());
      } else {
        throw RequestBody.unparsable("neither a data point nor an array of data points", json);
      }
      more = !rules.dialect().readsOnlyFirstValue() && json.nextToken() != null;
    }
    return points;
  }

  private void add(@Nullable PutPoint point) {
    if (points.size() == most) {
      throw new ApiException(
          ApiException.TOO_LARGE,
          "more than "
              + most
              + " data points, which have less than "
              + LEAST_BYTES
              + " bytes each, so most of them can't be stored");
    }
    points.add(point);
  }

  private @Nullable PutPoint element() throws IOException {
    if (json.currentToken() == JsonToken.VALUE_NULL) {
      return null;
    }
    if (json.currentToken() == JsonToken.START_OBJECT) {
      return point();
    }
    fault = null;
    misplaced("", "a data point", "not an object");
    return new PutPoint(null, 0, null, null, Map.of(), fault);
  }

  private PutPoint point() throws IOException {
    fault = null;
    String metric = null;
    long timestamp = 0;
    String value = null;
    Map<String, @Nullable String> tags = null;
    Map<String, JsonNode> others = rules.fields().isEmpty() ? Map.of() : new HashMap<>();
    int read = 0;
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String field = json.currentName();
      json.nextToken();
      int bit = 1 << (FIELDS.indexOf(field) + 1); // 1 for all others
      if (bit > 1 ? (read & bit) != 0 : others.containsKey(field)) {
        repeated(field);
      }
      read |= bit;
      switch (field) {
        case "metric" -> metric = text("metric", "metric");
        case "timestamp" -> timestamp = timestamp();
        case "value" -> value = text("value", "value");
        case "tags" -> tags = tags();
        default -> {
          if (rules.fields().contains(field)) {
            others.put(field, other(field));
          } else if (rules.isMisunderstood(field)) {
            misunderstood(field);
          } else {
            json.skipChildren();
          }
        }
      }
    }
    return new PutPoint(metric, timestamp, value, tags, others, fault);
  }

  private void misunderstood(String field) throws IOException {
    if (skip()) {
      Set<String> known = new TreeSet<>(FIELDS);
      known.addAll(rules.fields());
      fault(field, "unknown, known are " + String.join(", ", known));
    }
  }

  /** Skips a value; returns whether it is neither absent nor empty. */
  private boolean skip() throws IOException {
    JsonToken first = json.currentToken();
    if (!first.isStructStart()) {
      return first != JsonToken.VALUE_NULL
          && !(first == JsonToken.VALUE_STRING && json.getTextLength() == 0);
    }
    boolean isEmpty = true;
    for (int depth = 1; depth > 0; ) {
      JsonToken next = json.nextToken();
      depth += next.isStructStart() ? 1 : next.isStructEnd() ? -1 : 0;
      isEmpty &= depth == 0;
    }
    return !isEmpty;
  }

  /** A HashMap, because its order is the order in which new names get their UIDs. */
  private @Nullable Map<String, @Nullable String> tags() throws IOException {
    if (json.currentToken() == JsonToken.VALUE_NULL) {
      return null;
    }
    if (json.currentToken() != JsonToken.START_OBJECT) {
      boolean isList = json.currentToken() == JsonToken.START_ARRAY;
      if (isList && rules.dialect().takesEmptyAsAbsent()) {
        if (json.nextToken() == JsonToken.END_ARRAY) {
          return null;
        }
        skipList();
      }
      misplaced("tags", "tags", "not an object");
      return null;
    }
    Map<String, @Nullable String> tags = new HashMap<>();
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String tagk = json.currentName();
      json.nextToken();
      if (tags.containsKey(tagk)) {
        repeated("tags." + tagk);
      }
      tags.put(tagk, text("tags." + tagk, "a tag value"));
    }
    return tags;
  }

  /** A further field, whose members are given once. */
  private JsonNode other(String field) throws IOException {
    if (json.currentToken() != JsonToken.START_OBJECT) {
      return Json.read(json);
    }
    ObjectNode members = Json.object();
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String name = json.currentName();
      json.nextToken();
      if (members.has(name)) {
        repeated(field + "." + name);
      }
      members.set(name, Json.read(json));
    }
    return members;
  }

  /** A member is given again, and only one of both can be meant. */
  private void repeated(String member) {
    if (!rules.dialect().takesRepeatedMembers()) {
      fault(member, "is given twice");
    }
  }

  /** From the first element of a list to its end. */
  private void skipList() throws IOException {
    while (json.currentToken() != JsonToken.END_ARRAY) {
      json.skipChildren();
      json.nextToken();
    }
  }

  private @Nullable String text(String member, String what) throws IOException {
    if (json.currentToken() == JsonToken.VALUE_NULL) {
      return null;
    }
    if (!json.currentToken().isScalarValue()) {
      misplaced(member, what, "not a text or a number");
      return null;
    }
    return json.getText();
  }

  private long timestamp() throws IOException {
    boolean isLenient = !rules.dialect().refusesAllPointsForOne();
    return switch (json.currentToken()) {
      case VALUE_NUMBER_INT ->
          isLenient && json.getNumberType() == JsonParser.NumberType.BIG_INTEGER
              ? time(json.getText())
              : json.getLongValue();
      case VALUE_NUMBER_FLOAT -> isLenient ? time(json.getText()) : json.getLongValue();
      case VALUE_NULL -> 0;
      case VALUE_STRING -> {
        String text = json.getText().strip();
        yield text.isEmpty() ? 0 : isLenient ? time(text) : whole(text);
      }
      default -> {
        misplaced("timestamp", "timestamp", "not a time");
        yield 0;
      }
    };
  }

  private long whole(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw RequestBody.unparsable("timestamp \"" + text + "\" is not a number", json);
    }
  }

  private long time(String text) {
    try {
      return LineDialect.timestamp(withoutExponent(text), rules.zone());
    } catch (RequestException e) {
      fault("timestamp", e.getMessage());
      return 0;
    }
  }

  private static String withoutExponent(String text) {
    if (text.indexOf('e') < 0 && text.indexOf('E') < 0) {
      return text;
    }
    try {
      BigDecimal number = new BigDecimal(text);
      return Math.abs((long) number.scale()) > MOST_DIGITS ? text : number.toPlainString();
    } catch (NumberFormatException e) {
      return text;
    }
  }

  /** The current value can't be used; the parser skips it. */
  private void misplaced(String member, String what, String problem) throws IOException {
    if (rules.dialect().refusesAllPointsForOne()) {
      throw RequestBody.unparsable(what + " can't be " + json.currentToken(), json);
    }
    fault(member, problem);
    json.skipChildren();
  }

  private void fault(String member, String problem) {
    if (fault == null) {
      long index = first + points.size();
      String point = isListed || index > 0 ? "[" + index + "]" : "";
      String separator = point.isEmpty() || member.isEmpty() ? "" : ".";
      fault = point + separator + member + ": " + problem;
    }
  }
}
