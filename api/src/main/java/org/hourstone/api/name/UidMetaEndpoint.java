package org.hourstone.api.name;

import java.util.Locale;
import java.util.Map;
import org.hourstone.Tsdb;
import org.hourstone.api.endpoint.ApiOptions;
import org.hourstone.api.endpoint.BodyDialect;
import org.hourstone.api.endpoint.BodyValue;
import org.hourstone.api.endpoint.Endpoint;
import org.hourstone.api.endpoint.ErrorDialect;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiException;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.error.RequestException;
import org.hourstone.internal.UidText;
import org.hourstone.meta.UidMeta;
import org.hourstone.uid.NoSuchUidException;
import org.hourstone.uid.UidKind;

/** {@code /api/uid/uidmeta}: the metadata of a metric, a tag name or a tag value. */
public final class UidMetaEndpoint implements Endpoint {
  private static final Map<String, String> PARAMETERS =
      Map.of(
          "uid", "uid",
          "type", "type",
          "display_name", "displayName",
          "description", "description",
          "notes", "notes");

  private final Tsdb db;
  private final MetaBody json;
  private final BodyDialect bodies;
  private final ErrorDialect errors;

  public UidMetaEndpoint(Tsdb db, ApiOptions options) {
    this.db = db;
    this.json = new MetaBody(db, options.keys());
    this.bodies = options.requests().bodies();
    this.errors = options.errors();
  }

  @Override
  public ApiResponse respond(ApiCall call) {
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

  private ApiResponse get(ApiCall call) {
    String uid = call.required("uid");
    UidKind kind = kind(call.required("type"));
    try {
      return ApiResponse.ok(json.name(kind, UidText.parse(uid)));
    } catch (RequestException e) {
      throw errors.invalidUid(e);
    }
  }

  private ApiResponse save(BodyValue said, boolean overwrite) {
    try {
      UidKind kind = kind(required(said, "type"));
      byte[] uid = UidText.parse(required(said, "uid"));
      // Checked first, even before the UID's existence.
      UidMeta meta = MetaBody.readName(kind, said);
      if (!meta.saysAnything()) {
        return ApiResponse.notModified();
      }
      checkName(said, db.uids().name(kind, uid));
      db.metadata().names().save(uid, meta, overwrite);
      return ApiResponse.ok(json.name(kind, uid));
    } catch (RequestException e) {
      throw ApiException.explained(e);
    }
  }

  /** A response has the name, too; it is not changed here. */
  private void checkName(BodyValue said, String name) {
    BodyValue given = said.member("name");
    if (!bodies.takesUnknownMembers() && !given.text().isEmpty() && !given.text().equals(name)) {
      throw given.wrong("is changed by /api/uid/rename, and is '" + name + "'");
    }
  }

  private ApiResponse delete(BodyValue said) {
    try {
      UidKind kind = kind(required(said, "type"));
      byte[] uid = UidText.parse(required(said, "uid"));
      if (!bodies.takesUnknownMembers()) {
        checkWidth(kind, uid);
      }
      db.metadata().names().delete(kind, uid);
    } catch (RequestException e) {
      throw new ApiException(
          ApiException.BAD_REQUEST, "Unable to delete UIDMeta information", e.getMessage());
    }
    return ApiResponse.noContent();
  }

  /** Of another width it is that of no name, and nothing would be deleted. */
  private void checkWidth(UidKind kind, byte[] uid) {
    int width = db.uids().width(kind);
    if (uid.length != width) {
      throw new RequestException(
          "uid: " + UidText.format(uid) + " has " + uid.length + " bytes, but must have " + width);
    }
  }

  private BodyValue said(ApiCall call) {
    if (!call.body().isEmpty()) {
      return MetaBody.bodyOfName(call, bodies);
    }
    call.required("uid");
    call.required("type");
    return MetaBody.ofParameters(call, PARAMETERS, bodies);
  }

  private static String required(BodyValue said, String field) {
    String value = said.member(field).text();
    if (value.isEmpty()) {
      throw new RequestException("Missing " + field);
    }
    return value;
  }

  private UidKind kind(String type) {
    return switch (type.toLowerCase(Locale.ROOT)) {
      case "metric", "metrics" -> UidKind.METRIC;
      case "tagk" -> UidKind.TAGK;
      case "tagv" -> UidKind.TAGV;
      default -> throw errors.invalidUid(new RequestException("Invalid type requested: " + type));
    };
  }
}
