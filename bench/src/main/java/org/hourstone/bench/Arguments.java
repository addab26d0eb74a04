package org.hourstone.bench;

import java.util.Map;
import java.util.TreeMap;

/** Arguments of the form {@code --name value}, for names that have a default. */
final class Arguments {
  private final Map<String, String> values;

  private Arguments(Map<String, String> values) {
    this.values = values;
  }

  /**
   * @throws IllegalArgumentException naming an argument that is unknown or has no value
   */
  static Arguments parse(String[] arguments, Map<String, String> defaults) {
    Map<String, String> values = new TreeMap<>(defaults);
    for (int i = 0; i < arguments.length; i += 2) {
      String name = arguments[i].replaceFirst("^--", "");
      if (!defaults.containsKey(name) || i + 1 == arguments.length) {
        throw new IllegalArgumentException(
            "argument '"
                + arguments[i]
                + "': must be one of "
                + defaults.keySet()
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
