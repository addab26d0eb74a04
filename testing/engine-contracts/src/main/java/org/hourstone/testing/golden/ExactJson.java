package org.hourstone.testing.golden;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * JSON in which numbers are compared as text, so that {@code 1.0} is not {@code 1}. The order of an
 * object's members doesn't matter, but for {@code dps}: points are kept in their order, with every
 * timestamp that is there twice.
 */
sealed interface ExactJson {
  /** The members whose own members have an order. */
  String POINTS = "dps";

  /**
   * A string, number, boolean or null.
   *
   * @param text as written; a string without its escapes, in quotes
   */
  record Scalar(String text) implements ExactJson {
    boolean isNumber() {
      return text.matches("-?\\d.*");
    }

    boolean isInteger() {
      return text.matches("-?\\d+");
    }

    @Override
    public String toString() {
      return text;
    }
  }

  /** An array. */
  record Items(List<ExactJson> items) implements ExactJson {
    @Override
    public String toString() {
      return items.toString();
    }
  }

  /** A member of an object. */
  record Member(String name, ExactJson value) {
    @Override
    public String toString() {
      return name + ":" + value;
    }
  }

  /**
   * An object.
   *
   * @param members sorted by name, but for points
   */
  record Members(List<Member> members) implements ExactJson {
    @Nullable ExactJson get(String name) {
      for (Member member : members) {
        if (member.name.equals(name)) {
          return member.value;
        }
      }
      return null;
    }

    /** The text of a string; empty if it is not there. */
    String string(String name) {
      String text = get(name) instanceof Scalar scalar ? scalar.text : "";
      return text.startsWith("\"") ? text.substring(1, text.length() - 1) : "";
    }

    @Override
    public String toString() {
      return members.toString();
    }
  }

  /**
   * Reads a text.
   *
   * @return a scalar of the whole text if it is not JSON
   */
  static ExactJson of(String text) {
    try (JsonParser parser = new JsonFactory().createParser(text)) {
      if (parser.nextToken() == null) {
        return new Scalar(text);
      }
      ExactJson value = read(parser, "");
      return parser.nextToken() == null ? value : new Scalar(text);
    } catch (IOException e) {
      return new Scalar(text);
    }
  }

  private static ExactJson read(JsonParser parser, String name) throws IOException {
    if (parser.currentToken() == JsonToken.START_ARRAY) {
      List<ExactJson> items = new ArrayList<>();
      while (parser.nextToken() != JsonToken.END_ARRAY) {
        items.add(read(parser, name));
      }
      return new Items(items);
    }
    if (parser.currentToken() != JsonToken.START_OBJECT) {
      boolean quoted = parser.currentToken() == JsonToken.VALUE_STRING;
      return new Scalar(quoted ? '"' + parser.getText() + '"' : parser.getText());
    }
    List<Member> members = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String member = parser.currentName();
      parser.nextToken();
      members.add(new Member(member, read(parser, member)));
    }
    if (!name.equals(POINTS)) {
      members.sort(Comparator.comparing(Member::name));
    }
    return new Members(members);
  }

  /**
   * The first difference.
   *
   * @param alike whether two scalars are taken for the same
   * @return where and what it is; empty if there is none
   */
  static String difference(
      ExactJson recorded, ExactJson answered, BiPredicate<Scalar, Scalar> alike) {
    return difference("", recorded, answered, alike);
  }

  private static String difference(
      String place, ExactJson recorded, ExactJson answered, BiPredicate<Scalar, Scalar> alike) {
    if (recorded instanceof Scalar then && answered instanceof Scalar now) {
      return alike.test(then, now) ? "" : told(place, then, now);
    }
    if (recorded instanceof Items then && answered instanceof Items now) {
      for (int i = 0; i < Math.min(then.items.size(), now.items.size()); i++) {
        String in = place + "[" + i + "]";
        String found = difference(in, then.items.get(i), now.items.get(i), alike);
        if (!found.isEmpty()) {
          return found;
        }
      }
      return then.items.size() == now.items.size() ? "" : told(place, then, now);
    }
    if (recorded instanceof Members then && answered instanceof Members now) {
      for (int i = 0; i < Math.min(then.members.size(), now.members.size()); i++) {
        Member one = then.members.get(i);
        Member other = now.members.get(i);
        if (!one.name.equals(other.name)) {
          return told(place, one, other);
        }
        String found = difference(place + "." + one.name, one.value, other.value, alike);
        if (!found.isEmpty()) {
          return found;
        }
      }
      return then.members.size() == now.members.size() ? "" : told(place, then, now);
    }
    return told(place, recorded, answered);
  }

  private static String told(String place, Object then, Object now) {
    return (place.isEmpty() ? "the answer" : place)
        + ": recorded "
        + shortened(then)
        + ", answered "
        + shortened(now);
  }

  private static String shortened(Object json) {
    String text = json.toString();
    return text.length() <= 1000 ? text : text.substring(0, 1000) + "…";
  }
}
