package org.hourstone.api.otlp;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.hourstone.api.proto.ProtoReader;
import org.hourstone.api.proto.UnreadableException;

/**
 * Which attributes of resources are tags of all their series, and whether name and version of
 * scopes are. Immutable.
 *
 * @param chosen of each element the first attribute that a resource has is a tag
 * @param names all that are in {@code chosen}
 * @param all whether every attribute of resources is
 */
record TagRules(List<List<String>> chosen, Set<String> names, boolean all) {
  private static final String ALL = "*";
  private static final String SCOPE_NAME = "otel.scope.name";
  private static final String SCOPE_VERSION = "otel.scope.version";
  private static final int NAME = 1;
  private static final int VERSION = 2;
  private static final int SCOPE_ATTRIBUTES = 3;
  private static final int ATTRIBUTES = 1;

  /**
   * @param setting names, separated by commas, or by {@code |} if only the first that is present is
   *     a tag
   */
  static TagRules of(String setting) {
    List<List<String>> chosen =
        Arrays.stream(setting.split(","))
            .map(each -> Arrays.stream(each.split("\\|")).map(String::strip).toList())
            .filter(names -> !names.contains(""))
            .toList();
    return new TagRules(
        chosen,
        chosen.stream().flatMap(List::stream).collect(Collectors.toSet()),
        chosen.contains(List.of(ALL)));
  }

  /**
   * Adds those of a resource.
   *
   * @param to as {@link SeriesKeys} has attributes
   * @return the number of attributes that are not tags
   */
  int addResource(byte[] body, int from, int end, ByteBuilder to) throws UnreadableException {
    Map<String, int[]> found = new HashMap<>();
    int attributes = 0;
    ProtoReader resource = new ProtoReader(body, from, end);
    while (resource.next()) {
      if (resource.field() == ATTRIBUTES) {
        attributes++;
        int begin = resource.from();
        if (all) {
          SeriesKeys.addAttribute(to, body, begin, resource.to());
        } else {
          String key = key(body, begin, resource.to());
          if (names.contains(key)) {
            found.put(key, new int[] {begin, resource.to()});
          }
        }
      }
    }
    int tags = all ? attributes : 0;
    for (List<String> alternatives : chosen) {
      for (String name : alternatives) {
        int[] range = found.remove(name);
        if (range != null) {
          SeriesKeys.addAttribute(to, body, range[0], range[1]);
          tags++;
          break;
        }
      }
    }
    return attributes - tags;
  }

  private static String key(byte[] body, int from, int to) throws UnreadableException {
    ProtoReader attribute = new ProtoReader(body, from, to);
    String key = "";
    while (attribute.next()) {
      if (attribute.field() == Otlp.KEY) {
        int begin = attribute.from();
        key = new String(body, begin, attribute.to() - begin, StandardCharsets.UTF_8);
      }
    }
    return key;
  }

  /** As {@link #addResource}, those of a scope: its attributes are none. */
  int addScope(byte[] body, int from, int end, ByteBuilder to) throws UnreadableException {
    ProtoReader scope = new ProtoReader(body, from, end);
    int others = 0;
    while (scope.next()) {
      int field = scope.field();
      others += field == SCOPE_ATTRIBUTES ? 1 : 0;
      String tag = field == NAME ? SCOPE_NAME : field == VERSION ? SCOPE_VERSION : "";
      if (!tag.isEmpty() && names.contains(tag) && scope.to() > scope.from()) {
        byte[] text = Arrays.copyOfRange(body, scope.from(), scope.to());
        ByteBuilder value = new ByteBuilder();
        value.addRange(Otlp.STRING, text);
        ByteBuilder attribute = new ByteBuilder();
        attribute.addRange(Otlp.KEY, tag.getBytes(StandardCharsets.UTF_8));
        attribute.addRange(Otlp.VALUE, value.toBytes());
        SeriesKeys.addAttribute(to, attribute.bytes(), 0, attribute.length());
      }
    }
    return others;
  }
}
