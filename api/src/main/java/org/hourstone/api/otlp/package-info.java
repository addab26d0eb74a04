/** OpenTelemetry's metrics, as OTLP over HTTP: {@code docs/doors.md#opentelemetry}. */
@NullMarked
package org.hourstone.api.otlp;

import org.jspecify.annotations.NullMarked;
