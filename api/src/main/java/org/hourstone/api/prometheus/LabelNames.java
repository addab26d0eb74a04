package org.hourstone.api.prometheus;

import java.util.LinkedHashSet;
import java.util.Set;
import org.hourstone.api.door.EscapedNames;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiException;
import org.hourstone.uid.NameRules;

/**
 * Stored names as names and values of labels. Prometheus 2 refuses a response with a name that has
 * anything but letters, digits and underscores, so such a name is escaped unless the request asks
 * for it as it is. Values may be any text.
 */
final class LabelNames {
  private static final String PARAMETER = "escaping";

  private final NameRules rules;
  private final boolean escapes;

  private LabelNames(NameRules rules, boolean escapes) {
    this.rules = rules;
    this.escapes = escapes;
  }

  /**
   * Those of a request, by its parameter {@code escaping}, whose values are Prometheus' own.
   *
   * @throws ApiException if it has another value
   */
  static LabelNames of(ApiCall call, NameRules rules) {
    String escaping = call.parameter(PARAMETER).orElse("values");
    return switch (escaping) {
      case "values" -> new LabelNames(rules, true);
      case "allow-utf-8" -> new LabelNames(rules, false);
      default ->
          throw new ApiException(
              ApiException.BAD_REQUEST,
              "Unknown escaping",
              "the parameter escaping is '" + escaping + "': it may be values or allow-utf-8");
    };
  }

  /** The text of which a stored name is made. */
  String original(String stored) {
    String original = EscapedNames.original(stored);
    return EscapedNames.escaped(original, rules).equals(stored) ? original : stored;
  }

  /** A stored metric as the value of {@code __name__}. */
  String metric(String stored) {
    return shown(original(stored), true);
  }

  /** A stored tag name as the name of a label; that of the metric's label is escaped. */
  String label(String stored) {
    String original = original(stored);
    return original.equals(LabelSets.METRIC) ? escaped(original, false) : shown(original, false);
  }

  private String shown(String original, boolean takesColons) {
    return !escapes || original.isEmpty() || isPlain(original, takesColons)
        ? original
        : escaped(original, takesColons);
  }

  private static String escaped(String original, boolean takesColons) {
    StringBuilder escaped = new StringBuilder(EscapedNames.BEGIN);
    original
        .codePoints()
        .forEach(
            c -> {
              if (c == '_') {
                escaped.append("__");
              } else if (isLetter(c) || isDigit(c) || (c == ':' && takesColons)) {
                escaped.append((char) c);
              } else {
                escaped.append('_').append(Integer.toHexString(c)).append('_');
              }
            });
    return escaped.toString();
  }

  private static boolean isPlain(String name, boolean takesColons) {
    return !name.isEmpty()
        && !isDigit(name.charAt(0))
        && name.chars()
            .allMatch(c -> isLetter(c) || isDigit(c) || c == '_' || (c == ':' && takesColons));
  }

  private static boolean isLetter(int c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }

  private static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }

  /** The stored names that a name or value of a label may stand for. */
  Set<String> stored(String asked) {
    Set<String> candidates = new LinkedHashSet<>();
    for (String name : new String[] {asked, EscapedNames.decoded(asked)}) {
      candidates.add(EscapedNames.escaped(name, rules));
      if (rules.allows(name)) {
        candidates.add(name);
      }
    }
    return candidates;
  }
}
