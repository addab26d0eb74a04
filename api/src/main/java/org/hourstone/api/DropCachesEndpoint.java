package org.hourstone.api;

import org.hourstone.Tsdb;
import org.hourstone.internal.Json;

/** {@code /api/dropcaches}: forgets names, so that renames by others are seen at once. */
final class DropCachesEndpoint implements Endpoint {
  private final Tsdb db;

  DropCachesEndpoint(Tsdb db) {
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
