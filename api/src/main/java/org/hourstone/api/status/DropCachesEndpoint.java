package org.hourstone.api.status;

import org.hourstone.Tsdb;
import org.hourstone.api.endpoint.Endpoint;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.internal.Json;

/** {@code /api/dropcaches}: forgets names, so that renames by others are seen at once. */
public final class DropCachesEndpoint implements Endpoint {
  private final Tsdb db;

  public DropCachesEndpoint(Tsdb db) {
    this.db = db;
  }

  @Override
  public ApiResponse respond(ApiCall call) {
    db.dropCaches();
    return ApiResponse.ok(Json.object().put("message", "Caches dropped").put("status", "200"));
  }
}
