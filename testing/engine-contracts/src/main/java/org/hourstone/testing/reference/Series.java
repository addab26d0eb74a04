package org.hourstone.testing.reference;

import java.util.Map;
import java.util.NavigableMap;

/**
 * A series.
 *
 * @param tags by name
 * @param points by time in milliseconds; each value a Long or a Double
 */
public record Series(Map<String, String> tags, NavigableMap<Long, Number> points) {}
