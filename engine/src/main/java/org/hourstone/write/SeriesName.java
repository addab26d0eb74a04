package org.hourstone.write;

import java.util.Map;

/**
 * A series by its names.
 *
 * @param tags in the order in which new names get their UIDs; equal in any order
 */
record SeriesName(String metric, Map<String, String> tags) {}
