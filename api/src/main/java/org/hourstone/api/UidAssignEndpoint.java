package org.hourstone.api;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.hourstone.Tsdb;
import org.hourstone.error.RequestException;
import org.hourstone.uid.NameRules;
import org.hourstone.uid.UidKind;

/** {@code /api/uid/assign}: assigns UIDs to names. */
final class UidAssignEndpoint implements Endpoint {
  private static final HexFormat HEX = HexFormat.of().withUpperCase();

  private final Tsdb db;
  private final NameRules rules;

  UidAssignEndpoint(Tsdb db, NameRules rules) {
    this.db = db;
    this.rules = rules;
  }

  @Override
  public ApiAnswer answer(ApiCall call) {
    Map<String, List<String>> wanted = names(call);
    if (wanted.isEmpty()) {
      throw new ApiException(ApiException.BAD_REQUEST, "Missing values to assign UIDs");
    }
    // OpenTSDB responds in the order of a hash map, which is determined by the keys.
    Map<String, Map<String, String>> answer = new HashMap<>();
    boolean failed = false;
    for (Map.Entry<String, List<String>> names : wanted.entrySet()) {
      Map<String, String> assigned = new TreeMap<>();
      Map<String, String> errors = new TreeMap<>();
      for (String name : names.getValue()) {
        try {
          assigned.put(name, HEX.formatHex(assign(names.getKey(), name)));
        } catch (RequestException e) {
          errors.put(name, e.getMessage());
        }
      }
      answer.put(names.getKey(), assigned);
      if (!errors.isEmpty()) {
        answer.put(names.getKey() + "_errors", errors);
        failed = true;
      }
    }
    return failed
        ? ApiAnswer.of(ApiException.BAD_REQUEST, answer)
        : ApiAnswer.of(ApiAnswer.OK, answer);
  }

  private byte[] assign(String type, String name) {
    rules.check(type, name);
    UidKind kind = UidType.parse(type);
    return db.uids().assign(kind, name);
  }

  private static Map<String, List<String>> names(ApiCall call) {
    Map<String, List<String>> names = new LinkedHashMap<>();
    switch (call.method()) {
      case "GET" -> {
        for (String type : UidType.NAMES) {
          String list = call.parameter(type).orElse("");
          if (!list.isEmpty()) {
            names.put(type, List.of(list.split(",")));
          }
        }
      }
      case "POST" -> {
        for (Map.Entry<String, JsonNode> field : RequestBody.object(call).properties()) {
          names.put(field.getKey(), texts(field.getValue()));
        }
      }
      default -> throw ApiException.methodNotAllowed(call);
    }
    return names;
  }

  private static List<String> texts(JsonNode array) {
    List<String> texts = new ArrayList<>();
    array.forEach(text -> texts.add(text.asText()));
    return texts;
  }
}
