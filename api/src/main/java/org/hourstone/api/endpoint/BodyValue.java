package org.hourstone.api.endpoint;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.hourstone.api.request.ApiException;
import org.hourstone.internal.Json;
import org.hourstone.internal.NumberText;
import org.hourstone.internal.RecordFields;
import org.hourstone.internal.ShortText;
import org.jspecify.annotations.Nullable;

/**
 * A value in the body of a request, and its place: what a request means by it is read here, and an
 * error names the place, such as {@code queries[0].tags: not an object}. A value is absent if it is
 * missing or null, or, but for strict mode, an empty list or object. Whoever reads an object names
 * the members that it may have; another one is refused, but for strict mode. Immutable.
 */
public final class BodyValue {
  /** More digits than this are not those of a whole number. */
  private static final int MOST_DIGITS = 40;

  /** More characters of a name are not part of a place. */
  private static final int MOST_OF_NAME = 100;

  private final JsonNode json;

  /** The list or object that this is in; null for a whole body. */
  private final @Nullable BodyValue parent;

  /** The member's name; the place if there is no parent. */
  private final String name;

  /** The index in a list; -1 for a member. */
  private final int index;

  private final String position;
  private final BodyDialect dialect;

  private BodyValue(
      JsonNode json,
      @Nullable BodyValue parent,
      String name,
      int index,
      String position,
      BodyDialect dialect) {
    this.json = json;
    this.parent = parent;
    this.name = name;
    this.index = index;
    this.position = position;
    this.dialect = dialect;
  }

  /**
   * @param place for errors; empty for a whole body
   * @param position the same in the text; may be empty
   */
  public static BodyValue of(JsonNode json, String place, String position, BodyDialect dialect) {
    return new BodyValue(json, null, place, -1, position, dialect);
  }

  public boolean isAbsent() {
    return json.isMissingNode()
        || json.isNull()
        || (json.isContainerNode() && json.isEmpty() && dialect.takesEmptyAsAbsent());
  }

  /** The value as it is written; null if it is absent. */
  public JsonNode json() {
    return isAbsent() ? Json.nothing() : json;
  }

  /** Made when it is asked for: in long lists most places never are. */
  public String place() {
    if (parent == null) {
      return name;
    }
    String before = parent.place();
    if (index >= 0) {
      return before + "[" + index + "]";
    }
    String shown = ShortText.of(name, MOST_OF_NAME);
    return before.isEmpty() ? shown : before + "." + shown;
  }

  /** A member of an object; absent if the object is. */
  public BodyValue member(String member) {
    return new BodyValue(json.path(member), this, member, -1, position, dialect);
  }

  /** Whether an object has a member that is not absent. */
  public boolean has(String name) {
    return !member(name).isAbsent();
  }

  /**
   * The same value, which is an object or absent.
   *
   * @param names of the members that it may have
   */
  public BodyValue object(Set<String> names) {
    for (String name : (Iterable<String>) anyObject().json::fieldNames) {
      if (!names.contains(name)) {
        member(name).unknown(names);
      }
    }
    return this;
  }

  /** The same value, which is an object of any members, or absent. */
  private BodyValue anyObject() {
    return check(json.isObject(), "not an object");
  }

  /** Whether it is neither absent nor an empty text. */
  private boolean saysAnything() {
    return !isAbsent() && !(json.isTextual() && json.textValue().isEmpty());
  }

  /**
   * Refuses this value, whose name is not that of a member, but for strict mode, unless it says
   * nothing.
   *
   * @param names of the members
   */
  public void unknown(Set<String> names) {
    if (saysAnything() && !dialect.takesUnknownMembers()) {
      throw wrong("unknown, known are " + String.join(", ", new TreeSet<>(names)));
    }
  }

  /** The same value, which is a list or absent. */
  private BodyValue list() {
    return check(json.isArray(), "not an array");
  }

  private BodyValue check(boolean isExpected, String problem) {
    if (!isExpected && !isAbsent()) {
      throw wrong(problem);
    }
    return this;
  }

  /** The members of an object by name, in their order, those that are absent excluded. */
  public Map<String, BodyValue> members() {
    Map<String, BodyValue> members = new LinkedHashMap<>();
    for (String name : (Iterable<String>) anyObject().json::fieldNames) {
      if (has(name)) {
        members.put(name, member(name));
      }
    }
    return members;
  }

  /** The members of an object as texts, in their order; empty for null. */
  public Map<String, String> textMembers() {
    Map<String, String> texts = new LinkedHashMap<>();
    for (String name : (Iterable<String>) anyObject().json::fieldNames) {
      BodyValue member = member(name);
      member.checkStorable(name);
      texts.put(name, member.text());
    }
    return texts;
  }

  /** The elements of a list; none if it is absent. */
  public List<BodyValue> elements() {
    List<BodyValue> elements = new ArrayList<>();
    for (JsonNode element : list().json) {
      elements.add(new BodyValue(element, this, "", elements.size(), position, dialect));
    }
    return elements;
  }

  /**
   * The elements of a list of objects; none if it is absent.
   *
   * @param names of the members that they may have
   */
  public List<BodyValue> objects(Set<String> names) {
    List<BodyValue> objects = elements();
    objects.forEach(each -> each.element(names));
    return objects;
  }

  /**
   * The same value, which is an object in a list.
   *
   * @param names of the members that it may have
   */
  public BodyValue element(Set<String> names) {
    if (!json.isObject()) {
      throw wrong("not an object");
    }
    return object(names);
  }

  /** The elements of a list of texts; none if it is absent. */
  public List<String> texts() {
    return elements().stream().map(BodyValue::text).toList();
  }

  /** A text, number or boolean as text; empty if it is absent. */
  public String text() {
    String text = textOrNull();
    return text == null ? "" : text;
  }

  /** As {@link #text}, but null if it is absent. */
  public @Nullable String textOrNull() {
    if (isAbsent()) {
      return null;
    }
    if (json.isContainerNode()) {
      throw wrong("not a text");
    }
    String text = json.asText();
    checkStorable(text);
    return text;
  }

  /** A lone half of a pair of surrogates would be stored and returned as a question mark. */
  private void checkStorable(String text) {
    if (!dialect.takesUnknownMembers() && !isWellFormed(text)) {
      throw wrong("has a half of a pair of surrogates without the other, which UTF-8 can't have");
    }
  }

  private static boolean isWellFormed(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        if (i + 1 == text.length()
            || !Character.isSurrogatePair(text.charAt(i), text.charAt(++i))) {
          return false;
        }
      }
    }
    return true;
  }

  /** True or false, in quotes or not; 1 or 0, in strict mode any number. */
  public boolean flag(boolean otherwise) {
    if (isAbsent()) {
      return otherwise;
    }
    if (json.isBoolean()) {
      return json.booleanValue();
    }
    if (json.isIntegralNumber()) {
      long number = json.asLong();
      if (number != 0 && number != 1 && !dialect.takesUnknownMembers()) {
        throw wrong("neither true nor false: " + json.asText());
      }
      return number != 0;
    }
    if (json.isTextual()) {
      switch (json.textValue().strip().toLowerCase(Locale.ROOT)) {
        case "true" -> {
          return true;
        }
        case "false", "", "null" -> {
          return false;
        }
        default -> throw wrong("neither true nor false: '" + json.textValue() + "'");
      }
    }
    throw wrong("neither true nor false");
  }

  /** Whether one of two members is true, which are names of one flag; false without both. */
  public boolean flagOfNames(String name, String other) {
    boolean flag = member(name).flag(false);
    boolean same = member(other).flag(false);
    if (flag != same && has(name) && has(other) && !dialect.takesRepeatedMembers()) {
      throw member(other).wrong("contradicts " + name);
    }
    return flag || same;
  }

  /** A whole number, in quotes or not. */
  public long integer(long otherwise) {
    if (json.isNull() && dialect.takesNullForZero()) {
      return 0;
    }
    if (isAbsent()) {
      return otherwise;
    }
    if (!json.isNumber() && !json.isTextual()) {
      throw wrong("not a whole number");
    }
    String text = json.asText().strip();
    if (text.isEmpty()) {
      return otherwise;
    }
    try {
      return json.isTextual() ? Long.parseLong(text) : whole(text);
    } catch (ArithmeticException | NumberFormatException e) {
      throw wrong("not a whole number: '" + text + "'");
    }
  }

  private long whole(String number) {
    BigDecimal exact = new BigDecimal(number);
    if (Math.abs(exact.scale()) > MOST_DIGITS) {
      throw new ArithmeticException("out of range: " + number);
    }
    return dialect.dropsFractions()
        ? exact.setScale(0, RoundingMode.DOWN).longValueExact()
        : exact.longValueExact();
  }

  /** As {@link #integer}, of 32 bits. */
  public int number(int otherwise) {
    long number = integer(otherwise);
    if (number != (int) number) {
      throw wrong("out of range: " + number);
    }
    return (int) number;
  }

  /** A number, in quotes or not, such as NaN. */
  public double decimal(double otherwise) {
    if (isAbsent()) {
      return otherwise;
    }
    try {
      if (json.isNumber() || json.isTextual()) {
        return held(json.asText().strip());
      }
    } catch (NumberFormatException e) {
      throw wrong("not a number: '" + json.textValue() + "'");
    }
    throw wrong("not a number");
  }

  /** A number that is infinite or 0 only if it says so. */
  private double held(String text) {
    double number = Double.parseDouble(text);
    if (!NumberText.isHeld(text, number) && !dialect.takesUnknownMembers()) {
      throw wrong("out of range: " + text);
    }
    return number;
  }

  private double decimalElement() {
    if (isAbsent() && !dialect.takesUnknownMembers()) {
      throw wrong("not a number");
    }
    return decimal(0);
  }

  /** The elements of a list of numbers, or null if it is absent. */
  public @Nullable List<Double> decimals() {
    return isAbsent() ? null : elements().stream().map(BodyValue::decimalElement).toList();
  }

  /**
   * A record from the members of an object; those that are absent are unset.
   *
   * @param given the values of fields that are not read, by name
   */
  public <T extends Record> T record(RecordFields<T> kind, Map<String, ?> given) {
    return kind.build(
        field ->
            given.containsKey(field.name())
                ? given.get(field.name())
                : member(field.name()).of(field.type()));
  }

  private @Nullable Object of(Class<?> type) {
    if (type == double.class) {
      return decimal(Double.NaN);
    }
    if (type == int.class) {
      return number(0);
    }
    if (type == long.class) {
      return integer(0);
    }
    if (type == Map.class) {
      return isAbsent() ? null : customTexts();
    }
    return text();
  }

  /**
   * The same value, which says what a request is about, and so is not an empty text, but for strict
   * mode.
   */
  public BodyValue naming() {
    if (json.isTextual() && json.textValue().isBlank() && !dialect.takesUnknownMembers()) {
      throw wrong("is empty");
    }
    return this;
  }

  /** The members as texts; those that are absent are left out, but in strict mode empty. */
  private Map<String, String> customTexts() {
    Map<String, String> texts = textMembers();
    if (dialect.takesEmptyAsAbsent()) {
      texts.keySet().removeIf(name -> !has(name));
    }
    return texts;
  }

  /** The refusal of the request because of this value. */
  public ApiException wrong(String problem) {
    String place = place();
    return RequestBody.unparsable((place.isEmpty() ? "" : place + ": ") + problem + position);
  }
}
