/** InfluxDB's line protocol, over HTTP. See {@code docs/doors.md#influxdb-line-protocol}. */
@org.jspecify.annotations.NullMarked
package org.hourstone.api.influx;
