package org.hourstone.query;

import java.util.List;
import org.hourstone.kv.Scan;

/**
 * How a query is going to be answered.
 *
 * @param metric whose rows are read
 * @param scans what to read, one per salt bucket
 * @param filters those that must be looked at by name, after the scan
 * @param groupBy the UIDs of the tags to group by, ascending
 */
record Plan(byte[] metric, List<Scan> scans, List<TagFilter> filters, List<byte[]> groupBy) {}
