package org.hourstone.write;

/** A valid point whose series is known. */
record ResolvedPoint(Series series, long timestamp, PointValue value) {}
