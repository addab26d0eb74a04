package org.hourstone.api;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;
import java.util.Map;
import org.hourstone.Tsdb;
import org.hourstone.codec.RowKey;
import org.hourstone.error.RequestException;
import org.hourstone.internal.Json;
import org.hourstone.internal.UidText;
import org.hourstone.meta.UidMeta;
import org.hourstone.uid.NoSuchUidException;
import org.hourstone.uid.UidKind;

/** {@code /api/uid/uidmeta}: the metadata of a metric, a tag name or a tag value. */
final class UidMetaEndpoint implements Endpoint {
  private static final Map<String, String> PARAMETERS =
      Map.of(
          "uid", "uid",
          "type", "type",
          "display_name", "displayName",
          "description", "description",
          "notes", "notes");

  private final Tsdb db;
  private final MetaJson json;

  UidMetaEndpoint(Tsdb db, RowKey keys) {
    this.db = db;
    this.json = new MetaJson(db, keys);
  }

  @Override
  public ApiAnswer answer(ApiCall call) {
    try {
      return switch (call.method()) {
        case "GET" -> get(call);
        case "POST" -> save(said(call), false);
        case "PUT" -> save(said(call), true);
        case "DELETE" -> delete(said(call));
        default -> throw ApiException.methodNotAllowed(call);
      };
    } catch (NoSuchUidException e) {
      throw new ApiException(
          ApiException.NOT_FOUND, "Could not find the requested UID", e.getMessage());
    }
  }

  private ApiAnswer get(ApiCall call) {
    String uid = call.required("uid");
    UidKind kind = kind(call.required("type"));
    try {
      return ApiAnswer.ok(json.name(kind, UidText.parse(uid)));
    } catch (RequestException e) {
      throw ApiException.internal(e.getMessage());
    }
  }

  private ApiAnswer save(JsonNode said, boolean overwrite) {
    try {
      UidKind kind = kind(required(said, "type"));
      byte[] uid = UidText.parse(required(said, "uid"));
      // Checked first, even before the UID's existence.
      UidMeta meta = MetaJson.readName(kind, said);
      if (!meta.saysAnything()) {
        return ApiAnswer.notModified();
      }
      db.uids().name(kind, uid);
      db.metadata().names().save(uid, meta, overwrite);
      return ApiAnswer.ok(json.name(kind, uid));
    } catch (RequestException e) {
      throw ApiException.explained(e);
    }
  }

  private ApiAnswer delete(JsonNode said) {
    try {
      UidKind kind = kind(required(said, "type"));
      db.metadata().names().delete(kind, UidText.parse(required(said, "uid")));
    } catch (RequestException e) {
      throw new ApiException(
          ApiException.BAD_REQUEST, "Unable to delete UIDMeta information", e.getMessage());
    }
    return ApiAnswer.noContent();
  }

  private static JsonNode said(ApiCall call) {
    if (!call.body().isEmpty()) {
      return RequestBody.object(call);
    }
    call.required("uid");
    call.required("type");
    return MetaJson.ofParameters(call, PARAMETERS);
  }

  private static String required(JsonNode said, String field) {
    String value = Json.string(said, field);
    if (value.isEmpty()) {
      throw new RequestException("Missing " + field);
    }
    return value;
  }

  private static UidKind kind(String type) {
    return switch (type.toLowerCase(Locale.ROOT)) {
      case "metric", "metrics" -> UidKind.METRIC;
      case "tagk" -> UidKind.TAGK;
      case "tagv" -> UidKind.TAGV;
      default -> throw ApiException.internal("Invalid type requested: " + type);
    };
  }
}
