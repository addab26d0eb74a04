package org.hourstone.bench;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Arguments of the form {@code --name value}, for names that have a default. */
final class Arguments {
  /** The words after {@code bench/run} are not a command and its arguments. */
  static final class UsageException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    UsageException(String message) {
      super(message);
    }
  }

  private final Map<String, String> values;

  private Arguments(Map<String, String> values) {
    this.values = values;
  }

  /** Names and their defaults, from words such as {@code hours=24}; lists have commas. */
  static Map<String, String> defaults(String words) {
    return Stream.of(words.split(" "))
        .map(word -> word.split("=", 2))
        .collect(Collectors.toUnmodifiableMap(word -> word[0], word -> word[1]));
  }

  /**
   * @throws UsageException naming an argument that is unknown or has no value
   */
  static Arguments parse(String[] arguments, Map<String, String> defaults) {
    Map<String, String> values = new TreeMap<>(defaults);
    for (int i = 0; i < arguments.length; i += 2) {
      String name = arguments[i].replaceFirst("^--", "");
      if (!defaults.containsKey(name) || i + 1 == arguments.length) {
        throw new UsageException(
            "argument '"
                + arguments[i]
                + "': must be one of "
                + new TreeMap<>(defaults).keySet()
                + " and a value");
      }
      values.put(name, arguments[i + 1]);
    }
    return new Arguments(values);
  }

  String text(String name) {
    String value = values.get(name);
    if (value == null) {
      throw new IllegalArgumentException("no argument " + name);
    }
    return value;
  }

  /** The words of a text between commas. */
  List<String> list(String name) {
    String text = text(name);
    return text.isEmpty() ? List.of() : List.of(text.split(","));
  }

  int number(String name) {
    return Integer.parseInt(text(name));
  }

  double decimal(String name) {
    return Double.parseDouble(text(name));
  }

  @Override
  public String toString() {
    return values.toString();
  }
}
