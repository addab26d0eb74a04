package org.hourstone.api.door;

import org.hourstone.Tsdb;
import org.hourstone.api.endpoint.ApiOptions;
import org.hourstone.api.put.DoorPoints;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.DoorCounts;
import org.hourstone.api.request.Refusals;
import org.hourstone.write.EncodedPoints;

/**
 * What the endpoints need that write points of other protocols.
 *
 * @param refusals counts the points that are not stored
 * @param counts counts those that are, and what is skipped
 */
public record WriteDoor(Tsdb db, ApiOptions options, Refusals refusals, DoorCounts counts) {
  /** For the points of one request. */
  public DoorPoints points(EncodedPoints.Protocol protocol, ApiCall call) {
    return new DoorPoints(db, protocol, refusals, options.errors(), call.client().client());
  }
}
