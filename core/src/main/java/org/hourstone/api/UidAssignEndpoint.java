package org.hourstone.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.hourstone.Tsdb;
import org.hourstone.internal.Json;
import org.hourstone.uid.UidKind;

/** {@code /api/uid/assign}: gives names UIDs. */
final class UidAssignEndpoint implements Endpoint {
  private static final HexFormat HEX = HexFormat.of().withUpperCase();

  private final Tsdb db;

  UidAssignEndpoint(Tsdb db) {
    this.db = db;
  }

  @Override
  public ApiAnswer answer(ApiCall call) {
    ObjectNode answer = Json.object();
    boolean failed = false;
    for (Map.Entry<String, List<String>> names : names(call).entrySet()) {
      UidKind kind = UidKind.parse(names.getKey());
      Map<String, String> assigned = new TreeMap<>();
      Map<String, String> errors = new TreeMap<>();
      for (String name : names.getValue()) {
        try {
          assigned.put(name, HEX.formatHex(assign(kind, name)));
        } catch (IllegalArgumentException e) {
          errors.put(name, String.valueOf(e.getMessage()));
        }
      }
      put(answer, names.getKey(), assigned);
      if (!errors.isEmpty()) {
        put(answer, names.getKey() + "_errors", errors);
        failed = true;
      }
    }
    return new ApiAnswer(failed ? ApiException.BAD_REQUEST : ApiAnswer.OK, Json.text(answer));
  }

  private byte[] assign(UidKind kind, String name) {
    db.options().nameRules().check(kind.name().toLowerCase(Locale.ROOT), name);
    return db.uids().assign(kind, name);
  }

  private static Map<String, List<String>> names(ApiCall call) {
    Map<String, List<String>> names = new LinkedHashMap<>();
    if (call.method().equals("GET")) {
      for (String kind : List.of("metric", "tagk", "tagv")) {
        call.parameter(kind).ifPresent(list -> names.put(kind, Arrays.asList(list.split(","))));
      }
    } else {
      for (Map.Entry<String, JsonNode> field : Json.read(call.body()).properties()) {
        names.put(field.getKey(), texts(field.getValue()));
      }
    }
    return names;
  }

  private static List<String> texts(JsonNode array) {
    List<String> texts = new ArrayList<>();
    array.forEach(text -> texts.add(text.asText()));
    return texts;
  }

  private static void put(ObjectNode answer, String field, Map<String, String> values) {
    ObjectNode object = answer.putObject(field);
    values.forEach(object::put);
  }
}
