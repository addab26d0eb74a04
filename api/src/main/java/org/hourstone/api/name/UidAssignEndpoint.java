package org.hourstone.api.name;

import com.fasterxml.jackson.databind.node.ArrayNode;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.hourstone.Tsdb;
import org.hourstone.api.endpoint.ApiOptions;
import org.hourstone.api.endpoint.BodyDialect;
import org.hourstone.api.endpoint.BodyValue;
import org.hourstone.api.endpoint.BudgetedResponse;
import org.hourstone.api.endpoint.Endpoint;
import org.hourstone.api.endpoint.RequestBody;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiException;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.api.request.RefusalReason;
import org.hourstone.api.request.Refusals;
import org.hourstone.error.RequestException;
import org.hourstone.error.TsdbException;
import org.hourstone.internal.Json;
import org.hourstone.query.QueryLimitException;
import org.hourstone.series.MemoryLease;
import org.hourstone.uid.NameRules;
import org.hourstone.uid.UidKind;

/** {@code /api/uid/assign}: assigns UIDs to names. */
public final class UidAssignEndpoint implements Endpoint {
  private static final HexFormat HEX = HexFormat.of().withUpperCase();

  /** The memory of a name, its UID and their entries in maps, beside its text. */
  private static final int SIZE_OF_NAME = 250;

  /** The memory of a character of a name or an error, in maps and as it is written. */
  private static final int SIZE_IN_MEMORY = 4;

  private final Tsdb db;
  private final NameRules rules;
  private final BodyDialect bodies;
  private final Refusals refusals;

  /**
   * @param refusals counts the names that get no UID
   */
  public UidAssignEndpoint(Tsdb db, ApiOptions options, Refusals refusals) {
    this.db = db;
    this.refusals = refusals;
    this.rules = options.names();
    this.bodies = options.requests().bodies();
  }

  @Override
  public ApiResponse respond(ApiCall call) {
    Map<String, List<BodyValue>> wanted = names(call);
    if (wanted.isEmpty()) {
      throw new ApiException(ApiException.BAD_REQUEST, "Missing values to assign UIDs");
    }
    return BudgetedResponse.of(
        db, call, () -> "assigning UIDs", budget -> assign(call, wanted, budget.memory()));
  }

  /**
   * @param memory of the names, their UIDs and errors, beside that of the request
   */
  private ApiResponse assign(
      ApiCall call, Map<String, List<BodyValue>> wanted, MemoryLease memory) {
    // OpenTSDB responds in the order of a hash map, which is determined by the keys.
    Map<String, Map<String, String>> response = new HashMap<>();
    boolean failed = false;
    for (Map.Entry<String, List<BodyValue>> names : wanted.entrySet()) {
      Map<String, String> assigned = new TreeMap<>();
      Map<String, String> errors = new TreeMap<>();
      for (BodyValue each : names.getValue()) {
        String name = each.place();
        try {
          name = each.text();
          take(memory, name, each);
          assigned.put(name, HEX.formatHex(assign(names.getKey(), name)));
        } catch (RequestException e) {
          errors.put(name, refused(call, names.getKey(), e, e.getMessage()));
          take(memory, e.getMessage(), each);
        } catch (ApiException e) {
          errors.put(name, refused(call, names.getKey(), e, e.details()));
          take(memory, name + e.details(), each);
        }
      }
      response.put(names.getKey(), assigned);
      if (!errors.isEmpty()) {
        response.put(names.getKey() + "_errors", errors);
        failed = true;
      }
    }
    return failed
        ? ApiResponse.of(ApiException.BAD_REQUEST, response).counted()
        : ApiResponse.of(ApiResponse.OK, response);
  }

  /** Counts the memory of a name or of an error. */
  private static void take(MemoryLease memory, String text, BodyValue name) {
    try {
      memory.grow(SIZE_OF_NAME + SIZE_IN_MEMORY * (long) text.length());
    } catch (QueryLimitException e) {
      throw new TsdbException(
          TsdbException.Category.LIMIT,
          "The names from " + name.place() + " on were not assigned: " + e.getMessage());
    }
  }

  /** Counts a name that gets no UID; returns the reason. */
  private String refused(ApiCall call, String type, RuntimeException e, String why) {
    refusals.write(RefusalReason.of(e), call.client().client(), why, () -> type, e);
    return why;
  }

  private byte[] assign(String type, String name) {
    rules.check(type, name);
    UidKind kind = UidType.parse(type);
    return db.uids().assign(kind, name);
  }

  private Map<String, List<BodyValue>> names(ApiCall call) {
    Map<String, List<BodyValue>> names = new LinkedHashMap<>();
    switch (call.method()) {
      case "GET" -> {
        for (String type : UidType.NAMES) {
          String list = call.parameter(type).orElse("");
          if (!list.isEmpty()) {
            ArrayNode array = Json.array();
            int limit = bodies.takesUnknownMembers() ? 0 : -1; // empty ones at the end are none
            Arrays.stream(list.split(",", limit)).forEach(array::add);
            names.put(type, BodyValue.of(array, type, "", bodies).elements());
          }
        }
      }
      case "POST" -> {
        RequestBody.anyObject(call, bodies)
            .members()
            .forEach((type, list) -> names.put(type, list.elements()));
      }
      default -> throw ApiException.methodNotAllowed(call);
    }
    return names;
  }
}
