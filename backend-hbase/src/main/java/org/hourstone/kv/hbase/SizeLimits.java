package org.hourstone.kv.hbase;

import org.apache.hadoop.conf.Configuration;

/**
 * The largest cells and requests that the servers accept, according to the client's configuration.
 * Larger ones are refused here: a server that is sent too large a request closes the connection,
 * which may destroy its response, and the client would repeat the request until the timeout.
 *
 * @param cell the maximum number of bytes of a cell that is put; 0 for no limit
 * @param request the maximum number of bytes of a request
 */
record SizeLimits(int cell, int request) {
  static final String CELL_KEY = "hbase.client.keyvalue.maxsize";
  static final String REQUEST_KEY = "hbase.ipc.max.request.size";

  static SizeLimits of(Configuration conf) {
    return new SizeLimits(
        Math.max(0, conf.getInt(CELL_KEY, 10 << 20)), conf.getInt(REQUEST_KEY, 256 << 20));
  }
}
