package org.hourstone.api.status;

import com.fasterxml.jackson.databind.node.ArrayNode;
import java.util.HashSet;
import java.util.Set;
import org.hourstone.api.endpoint.Endpoint;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.internal.Json;
import org.hourstone.series.Aggregator;

/** {@code /api/aggregators}: the names of the aggregators. */
public final class AggregatorsEndpoint implements Endpoint {
  @Override
  public ApiResponse respond(ApiCall call) {
    Set<String> names = new HashSet<>(); // OpenTSDB responds in the order of this map
    for (Aggregator aggregator : Aggregator.values()) {
      names.add(aggregator.requestName());
    }
    ArrayNode array = Json.array();
    names.forEach(array::add);
    return ApiResponse.ok(array);
  }
}
