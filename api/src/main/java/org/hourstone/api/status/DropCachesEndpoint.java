package org.hourstone.api.status;

import org.hourstone.api.request.ApiAnswer;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiException;
import org.hourstone.api.request.Endpoint;
import org.hourstone.Tsdb;
import org.hourstone.internal.Json;

/** {@code /api/dropcaches}: forgets names, so that renames by others are seen at once. */
public final class DropCachesEndpoint implements Endpoint {
  private final Tsdb db;

  public DropCachesEndpoint(Tsdb db) {
    this.db = db;
  }

  @Override
  public ApiAnswer answer(ApiCall call) {
    if (!call.method().equals("GET") && !call.method().equals("POST")) {
      throw ApiException.methodNotAllowed(call);
    }
    db.dropCaches();
    return ApiAnswer.ok(Json.object().put("message", "Caches dropped").put("status", "200"));
  }
}
