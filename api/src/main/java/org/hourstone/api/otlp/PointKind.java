package org.hourstone.api.otlp;

import org.hourstone.api.proto.UnreadableException;

/** How the data points of a kind of metric are read and stored. For one thread. */
interface PointKind {
  /**
   * @param from the begin of its message
   * @param point has begun
   * @throws UnreadableException if it is not protobuf
   */
  void read(byte[] body, int from, int to, DataPoint point) throws UnreadableException;
}
