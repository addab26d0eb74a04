/** Prometheus' remote write and remote read: {@code docs/doors.md#prometheus}. */
@org.jspecify.annotations.NullMarked
package org.hourstone.api.prometheus;
