package org.hourstone.api.name;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Set;
import org.hourstone.Tsdb;
import org.hourstone.api.endpoint.ApiOptions;
import org.hourstone.api.endpoint.BodyDialect;
import org.hourstone.api.endpoint.BodyValue;
import org.hourstone.api.endpoint.Endpoint;
import org.hourstone.api.endpoint.RequestBody;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiException;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.error.RequestException;
import org.hourstone.internal.Json;
import org.hourstone.uid.NameRules;
import org.hourstone.uid.NoSuchNameException;
import org.hourstone.uid.UidKind;
import org.jspecify.annotations.Nullable;

/** {@code /api/uid/rename}: gives a UID another name. */
public final class UidRenameEndpoint implements Endpoint {
  private static final Set<String> REQUEST = Set.of("metric", "tagk", "tagv", "name");

  private final Tsdb db;
  private final NameRules rules;
  private final BodyDialect bodies;

  public UidRenameEndpoint(Tsdb db, ApiOptions options) {
    this.db = db;
    this.rules = options.names();
    this.bodies = options.requests().bodies();
  }

  @Override
  public ApiResponse respond(ApiCall call) {
    BodyValue request = request(call);
    String type = null;
    for (String each : UidType.NAMES) {
      if (text(request, each) != null) {
        if (type != null && !bodies.takesRepeatedMembers()) {
          throw new ApiException(
              ApiException.BAD_REQUEST, "names of two kinds, " + type + " and " + each);
        }
        type = each; // if there are several, OpenTSDB takes the last one
      }
    }
    String newName = text(request, "name");
    String oldName = type == null ? null : text(request, type);
    if (type == null || oldName == null || newName == null) {
      throw new ApiException(ApiException.BAD_REQUEST, "Missing necessary values to rename UID");
    }
    try {
      rename(type, oldName, newName);
    } catch (RequestException e) {
      ObjectNode refusal = Json.object().put("result", "false").put("error", e.getMessage());
      return ApiResponse.of(ApiException.BAD_REQUEST, refusal);
    }
    return ApiResponse.ok(Json.object().put("result", "true"));
  }

  private void rename(String type, String oldName, String newName) {
    rules.check(type, oldName);
    rules.check(type, newName);
    UidKind kind = UidType.parse(type);
    try {
      byte[] taken = db.uids().find(kind, newName);
      byte[] uid = db.uids().find(kind, oldName);
      // If both names have one UID, this completes a renaming that was interrupted.
      boolean interrupted = !newName.equals(oldName) && Arrays.equals(taken, uid);
      if (taken != null && uid != null && !interrupted) {
        throw new RequestException(
            "%s '%s' can't be renamed: '%s' already has the UID %s"
                .formatted(
                    type, oldName, newName, HexFormat.of().withUpperCase().formatHex(taken)));
      }
      db.uids().rename(kind, oldName, newName);
    } catch (NoSuchNameException e) {
      throw new RequestException("Name(\"" + oldName + "\") does not exist", e);
    }
  }

  private BodyValue request(ApiCall call) {
    return switch (call.method()) {
      case "GET" -> {
        ObjectNode request = Json.object();
        call.parameters()
            .keySet()
            .forEach(key -> call.parameter(key).ifPresent(v -> request.put(key, v)));
        yield BodyValue.of(request, "", "", bodies);
      }
      case "POST" -> {
        BodyValue request = RequestBody.object(call, bodies, REQUEST);
        REQUEST.forEach(name -> request.member(name).naming());
        yield request;
      }
      default -> throw ApiException.methodNotAllowed(call);
    };
  }

  private static @Nullable String text(BodyValue request, String field) {
    String text = request.member(field).text();
    return text.isEmpty() ? null : text;
  }
}
